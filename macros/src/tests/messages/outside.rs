use super::messages;

messages! {
    a_handler: "#[on_record(Orders)] async fn book(order: Order) -> Outcome { Outcome::Done }" => [(
        "`#[on_record]` only works inside a module marked `#[kinesis_app]`\nnote: it reads the functions that stand in the module itself, under this name: not methods, nor what another macro makes", "#[on_record(Orders)]"
    )];
    a_hook: "#[on_start] async fn connect() -> Result<A, E> { a() }" => [(
        "`#[on_start]` only works inside a module marked `#[kinesis_app]`\nnote: it reads the functions that stand in the module itself, under this name: not methods, nor what another macro makes", "#[on_start]"
    )];
    a_stream_works_alone: "#[stream(name = \"orders\")] struct Orders;" => [];
    a_stream_alone_follows_the_rules: "#[stream(name = \"orders\", batch_size = 0)] struct Orders;" => [(
        "batch size is 0; a read asks for 1 to 10000 records\nhelp: leave `batch_size` out to read as many as the service returns",
        "0"
    )];
    a_stream_without_a_name: "#[stream] struct Orders;" => [(
        "`#[stream]` needs `name = \"..\"` or `arn = \"..\"`", "#[stream]"
    )];
    a_stream_twice: "#[stream(name = \"orders\")] #[kinesis_app::stream(name = \"views\")] struct Orders;" => [(
        "`Orders` is already a `#[stream]`", "kinesis_app::stream"
    )];
    a_stream_that_is_a_handler: "#[stream(name = \"orders\")] #[on_record(Orders)] #[on_start] struct Orders;" => [
        ("`#[on_record]` goes on a function, not on a struct", "struct"),
        ("`#[on_start]` goes on a function, not on a struct", "struct"),
    ];
    a_stream_that_is_a_function: "#[stream(name = \"orders\")] async fn orders() {}" => [(
        "`#[stream]` goes on a unit struct, not on a function", "fn"
    )];
    a_stream_that_is_an_enum: "#[stream(name = \"orders\")] pub enum Orders {}" => [(
        "`#[stream]` goes on a unit struct, not on an enum", "enum"
    )];
}
