/// Orders of all shops.
pub(crate) struct Orders;
#[allow(unexpected_cfgs)]
const _: () = {
    #[cfg(rust_analyzer)]
    {
        {
            mod __words {
                use ::kinesis_app::__ide::stream::*;
                use self::{name as _, batch_size as _, codec as _};
            }
        }
        let _: (Raw);
    }
};
const _: () = {
    use ::kinesis_app as __rt;
    use ::kinesis_app::spec as __spec;
    #[automatically_derived]
    impl __rt::Stream for Orders {
        type Codec = Raw;
        const SPEC: __spec::StreamSpec = __spec::StreamSpec {
            read: __spec::Read::Poll(__spec::Poll {
                batch_size: ::core::option::Option::Some(__BATCH_SIZE),
                ..__spec::Poll::DEFAULT
            }),
            ..__spec::StreamSpec::named("Orders", __spec::Setting::Fixed("orders"))
        };
    }
    const __BATCH_SIZE: ::core::primitive::u32 = BATCH;
    const _: () = {
        __rt::__private::batch_size(__BATCH_SIZE);
    };
};
