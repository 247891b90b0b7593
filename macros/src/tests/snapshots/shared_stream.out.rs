/// Orders of all shops.
pub(crate) struct Orders;
const _: () = {
    #[automatically_derived]
    impl ::kinesis_app::Stream for Orders {
        type Codec = Raw;
        const SPEC: ::kinesis_app::spec::StreamSpec = ::kinesis_app::spec::StreamSpec {
            label: "Orders",
            id: ::kinesis_app::spec::StreamId::Name(
                ::kinesis_app::spec::Setting::Fixed("orders"),
            ),
            start: ::kinesis_app::spec::Start::Latest,
            checkpoints: ::kinesis_app::spec::Checkpoints::Use,
            read: ::kinesis_app::spec::Read::Poll {
                batch_size: ::core::option::Option::Some(__BATCH_SIZE),
                interval: ::core::time::Duration::from_millis(1000u64),
            },
            create: ::core::option::Option::None,
            fatal: ::kinesis_app::spec::OnFatal::Stop,
            recreated: ::kinesis_app::spec::OnRecreated::Refuse,
            partition_key: ::core::option::Option::None,
            variables: &[],
        };
    }
    const __BATCH_SIZE: ::core::primitive::u32 = BATCH;
    const _: () = {
        ::kinesis_app::__private::batch_size(__BATCH_SIZE);
    };
};
