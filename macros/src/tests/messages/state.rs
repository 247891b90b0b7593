use super::messages;

messages! {
    an_enum: "#[derive(AppState)] enum Clients { A }" => [(
        "`AppState` goes on a struct, not on an enum", "enum"
    )];
    a_union: "#[derive(AppState)] union Clients { a: u8 }" => [(
        "`AppState` goes on a struct, not on a union", "union"
    )];
    generic: "#[derive(AppState)] struct Clients<T>(T);" => [(
        "`AppState` is for one type; a generic struct is many", "<T>"
    )];
    two_fields_of_one_type: "#[derive(AppState)] struct Clients { a: Arc<Db>, b: Arc<Db> }" => [(
        "two fields of `Clients` have the type `Arc<Db>`\nhelp: wrap one in a type of its own; `State<Arc<Db>>` could be either",
        "Arc<Db>"
    )];
    an_unknown_setting: "#[derive(AppState)] #[app_state(skip)] struct Clients;" => [(
        "`#[app_state]` takes `crate = path`", "skip"
    )];
    a_keyword_in_the_path: "#[derive(AppState)] #[app_state(crate = try::kinesis)] struct Clients;" => [(
        "expected identifier, found keyword `try`", "try"
    )];
    no_field: "#[derive(AppState)] struct Clients;" => [];
}
