#[kinesis_app(name = "statistics")]
mod statistics {
    #[stream(name = "views")]
    struct Views;

    /// Counts views.
    #[on_batch(Views, max_records = 1_000, max_wait = WAIT, undecodable(skip))]
    async fn count(views: Batch<PageView>, State(db): State<Db>) -> Result<BatchOutcome, DbError> {
        db.count(&views).await
    }
}
