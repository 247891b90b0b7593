const _: () = {
    #[automatically_derived]
    impl vendor::kinesis::Provides<Ledger> for Clients {
        fn provide(&self) -> Ledger {
            <Ledger as ::core::clone::Clone>::clone(&self.ledger)
        }
    }
    #[automatically_derived]
    impl vendor::kinesis::Provides<Vec<u8>> for Clients {
        fn provide(&self) -> Vec<u8> {
            <Vec<u8> as ::core::clone::Clone>::clone(&self.r#type)
        }
    }
    #[automatically_derived]
    impl vendor::kinesis::Provides<Pool<Db>> for Clients {
        fn provide(&self) -> Pool<Db> {
            <Pool<Db> as ::core::clone::Clone>::clone(&self.pool)
        }
    }
};
