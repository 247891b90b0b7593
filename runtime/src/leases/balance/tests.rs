//! Instances that plan in turn, each on what stands in the rows.

mod world;

use proptest::prelude::*;

use self::world::{Calls, World};
use super::*;

fn name(number: usize) -> String {
    format!("s{number}")
}

#[test]
fn sixty_four_shards_settle_over_one_then_three_then_two() {
    let mut world = World::new(&[64]);
    world.join("s0");
    assert!(
        world.settle() <= 3,
        "few at first, then twice as many in each look"
    );
    world.forget_moves();
    world.join("s1");
    world.join("s2");
    assert!(world.settle() <= 2 && world.is_even());
    assert_eq!(world.most_moves(), 1);
    world.forget_moves();
    world.leave("s1");
    assert!(world.settle() <= 2 && world.is_even());
    assert_eq!(world.most_moves(), 1);
}

#[test]
fn many_streams_of_one_shard_are_spread_like_the_shards_of_one() {
    let mut world = World::new(&[1; 20]);
    world.join("s0");
    world.settle();
    world.join("s1");
    world.join("s2");
    world.settle();
    assert!(world.is_even(), "{:?}", world.streams);
}

#[test]
fn who_was_seen_to_ask_just_now_waits_and_counts_already() {
    let mut world = World::new(&[6]);
    world.join("s0");
    world.settle();
    world.join("s1");
    assert_eq!(world.plan("s1", 0).request.len(), 3);
    world.act("s1", 0);
    world.newcomers = ["s1".into()].into();
    let plan = world.plan("s0", 0);
    assert!(plan.grant.is_empty() && plan.refuse.is_empty(), "{plan:?}");
    world.join("s2");
    assert_eq!(world.plan("s2", 0).request.len(), 2, "of three instances");
}

#[test]
fn free_leases_are_not_kept_for_who_left_them() {
    let lease = |number: usize, me: &str| {
        let of = |owner: &str| match owner {
            owner if owner == me => Owner::Me,
            owner => Owner::Other(owner.into()),
        };
        let left_by = Some("gone".into());
        Lease {
            shard_id: number.to_string(),
            owner: match number {
                0..3 => Owner::Nobody { left_by },
                3 => of("gone"),
                4 => of("me"),
                _ => of("here"),
            },
            wanted_by: None,
        }
    };
    let sees = |me| {
        plan(&Sight {
            me,
            stream: "s",
            leases: &(0..6).map(|number| lease(number, me)).collect::<Vec<_>>(),
            elsewhere: &BTreeMap::new(),
            newcomers: &BTreeSet::new(),
            asks: &Asks::default(),
        })
    };
    let (mine, theirs) = (sees("me"), sees("here"));
    assert_eq!(mine.take.len() + theirs.take.len(), 3);
    assert!(
        mine.take
            .iter()
            .all(|shard_id| !theirs.take.contains(shard_id))
    );
}

/// What one knows of other streams is nobody else's knowledge: each would leave the lease to the other.
#[test]
fn the_free_leases_of_many_streams_are_each_taken_by_one() {
    let mut world = World::new(&[1; 20]);
    for who in ["a", "b", "c"] {
        world.join(who);
    }
    world.settle();
    world.leave("c");
    for stream in 0..20 {
        let free = world.streams[stream][0].owner.is_none();
        let plans = ["a", "b"].map(|who| world.plan(who, stream));
        let takers = plans.iter().filter(|plan| !plan.take.is_empty()).count();
        assert_eq!(takers, usize::from(free), "{plans:?}");
    }
}

#[test]
fn what_nobody_else_took_in_time_is_taken_and_what_is_refused_to_me_is_not() {
    let lease = |owner| Lease {
        shard_id: "0".into(),
        owner,
        wanted_by: None,
    };
    let takes = |leases: &[Lease]| {
        let sight = Sight {
            me: "me",
            stream: "s",
            leases,
            elsewhere: &BTreeMap::from([("other".into(), 0)]),
            newcomers: &BTreeSet::new(),
            asks: &Asks::default(),
        };
        plan(&sight).take
    };
    let mine = Lease {
        shard_id: "1".into(),
        ..lease(Owner::Me)
    };
    let kept_for_another = lease(Owner::Nobody { left_by: None });
    assert!(takes(&[mine, kept_for_another]).is_empty());
    assert_eq!(takes(&[lease(Owner::Overdue)]), ["0"]);
    assert!(takes(&[lease(Owner::Shunned)]).is_empty());
}

proptest! {
    /// Whoever joins or leaves, from whatever was even before.
    #[test]
    fn one_change_of_membership_moves_each_lease_at_most_once_and_settles_in_two_rounds(
        extra in 0_usize..100, before in 1_usize..8, joins in any::<bool>(),
    ) {
        // Of more instances than leases some hold none, and nobody knows of them: a lease may then move once more.
        let leases = before + extra;
        let mut world = World::new(&[leases]);
        for number in 0..before {
            world.join(&name(number));
        }
        world.settle();
        prop_assert!(world.is_even());
        world.forget_moves();
        let rounds = if joins || before == 1 {
            world.join("a");
            world.settle()
        } else {
            world.leave(&name(before / 2));
            world.settle()
        };
        // Sixteen at a time at least, so that two who start at once see each other.
        prop_assert!(rounds <= 2 || !joins && leases > 16 * before, "{rounds} rounds");
        prop_assert!(world.is_even(), "{:?}", world.streams);
        prop_assert!(world.most_moves() <= 1);
    }

    #[test]
    fn from_any_state_everybody_has_his_share_in_the_end_and_then_nothing_moves(
        streams in prop::collection::vec(0_usize..20, 1..5),
        members in 1_usize..6,
        owners in prop::collection::vec((0_usize..8, 0_usize..12), 100),
    ) {
        let mut world = World::new(&streams);
        for number in 0..members {
            world.join(&name(number));
        }
        // Some are nobody's, and some are asked for by the living and the dead.
        for (row, (owner, asks)) in world.streams.iter_mut().flatten().zip(owners) {
            row.owner = (owner < members).then(|| name(owner));
            row.wanted_by = (asks < 8 && asks != owner).then(|| name(asks));
        }
        for _ in 0..20 {
            // A lease that was granted to the dead is dead.
            for number in members..8 {
                world.leave(&name(number));
            }
            world.round();
        }
        prop_assert!(world.is_even(), "{:?}", world.streams);
        prop_assert!(!world.round());
    }
}

/// Without readers, without time: everybody acts at once and on what stood before, which is worse than what bells that are heard within
/// a second bring about.
#[test]
fn a_hundred_instances_share_a_thousand_shards_in_a_bounded_number_of_rounds_and_calls() {
    const SHARDS: usize = 1_000;
    let mut world = World::new(&[SHARDS]);
    let settles = |world: &mut World, what: &str, most_rounds, most_moves, most_calls| {
        world.forget_moves();
        let mut rounds = Vec::new();
        while let Some(calls) = world.round_at_once() {
            rounds.push(calls);
            assert!(rounds.len() <= most_rounds, "{what}: {rounds:#?}");
        }
        assert!(world.is_even(), "{what}");
        let moved = world.streams[0]
            .iter()
            .map(|row| row.moves as usize)
            .sum::<usize>();
        println!(
            "{what}: {} rounds, {moved} moves, most of one lease {}",
            rounds.len(),
            world.most_moves()
        );
        for Calls {
            reads,
            writes,
            refused,
        } in &rounds
        {
            println!("    {reads} reads, {writes} writes, {refused} refused writes");
            assert!(
                reads + writes + refused <= most_calls,
                "{what}: {rounds:#?}"
            );
        }
        assert!(world.most_moves() <= most_moves, "{what}");
    };
    for number in 0..100 {
        world.join(&format!("{:04}", number * 7919 % 9973));
    }
    settles(&mut world, "100 start at once", 20, 3, 6_000);
    let someone = |world: &World, place: usize| {
        world
            .members
            .iter()
            .nth(place)
            .expect("one of many")
            .clone()
    };
    for place in [90, 70, 50, 30, 10] {
        let who = someone(&world, place);
        world.leave(&who);
    }
    settles(&mut world, "5 of them leave at once", 3, 1, 1_000);
    for number in 0..5 {
        world.join(&format!("new{number}"));
    }
    settles(&mut world, "5 join at once", 10, 1, 1_000);
    let who = someone(&world, 42);
    world.leave(&who);
    settles(&mut world, "1 dies", 3, 1, 1_000);
}

#[test]
fn who_could_not_read_a_shard_asks_for_others_and_one_at_a_time_while_it_reads_none() {
    let leases: Vec<_> = (0..6)
        .map(|number: usize| Lease {
            shard_id: number.to_string(),
            owner: Owner::Other("other".into()),
            wanted_by: (number == 5).then(|| "me".into()),
        })
        .collect();
    let requests = |leases: &[Lease], at_once, but_for: &[&str]| {
        let asks = Asks {
            but_for: but_for.iter().copied().map(String::from).collect(),
            at_once,
        };
        let plan = plan(&Sight {
            me: "me",
            stream: "s",
            leases,
            elsewhere: &BTreeMap::new(),
            newcomers: &BTreeSet::new(),
            asks: &asks,
        });
        let then = plan.then.get("me").copied().unwrap_or(0);
        (plan.request, then)
    };
    let free = &leases[..5];
    let (asked, then) = requests(free, AtOnce::All, &["0", "1", "2", "3"]);
    assert_eq!((&*asked, then), (&["4".to_owned()][..], 1));
    let (asked, then) = requests(free, AtOnce::One, &[]);
    assert_eq!((asked.len(), then), (1, 1));
    assert_eq!(requests(free, AtOnce::None, &[]), (vec![], 0));
    assert_eq!(
        requests(&leases, AtOnce::One, &[]),
        (vec![], 1),
        "one is asked for already"
    );
    let (asked, then) = requests(&leases, AtOnce::All, &["5"]);
    assert_eq!((asked.len(), then), (2, 3), "a request that stands counts");
}
