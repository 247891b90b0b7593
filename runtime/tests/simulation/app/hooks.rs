//! The hooks of a shard: some of them take long, and some fail at first.

use std::time::Duration;

use kinesis_app::{Lease, ShardId};
use tokio::time::sleep;

use super::Desk;
use crate::trace::{Hook, HookCall, Step, What};

impl Desk {
    pub(super) async fn hook(
        &self,
        hook: Hook,
        shard: &ShardId,
        lease: Lease,
    ) -> Result<(), String> {
        let call = HookCall {
            machine: self.machine,
            shard_id: shard.to_string(),
            token: lease.token(),
            hook,
        };
        let told = |step| self.trace.write(What::Hook(call.clone(), step));
        told(Step::Begun);
        let failures = self.trace.times_failed(&call);
        let mut rng = fastrand::Rng::with_seed(self.seed ^ plan(&call));
        let fails = match rng.u32(0..10) {
            0 | 1 => rng.u32(1..4),
            _ => 0,
        };
        let takes = match rng.u32(0..10) {
            0 => rng.u64(2_000..14_000),
            1..4 => rng.u64(20..800),
            _ => 0,
        };
        if takes > 0 && !self.hurries() {
            sleep(Duration::from_millis(takes)).await;
        }
        if failures >= fails {
            told(Step::Succeeded);
            return Ok(());
        }
        told(Step::Failed);
        assert!(rng.bool(), "planned");
        Err("the sink is down".into())
    }
}

/// Each call of a tenure has its own.
fn plan(call: &HookCall) -> u64 {
    let HookCall {
        machine,
        shard_id,
        token,
        hook,
    } = call;
    let of_shard = shard_id.bytes().fold(u64::from(machine.0), |sum, byte| {
        sum.wrapping_mul(31).wrapping_add(u64::from(byte))
    });
    let of_hook = match hook {
        Hook::Start => 1,
        Hook::End => 2,
    };
    (of_shard ^ token << 16).wrapping_mul(0x9e37_79b9) + of_hook
}
