use crate::app::App;
use utoipa_axum::router::OpenApiRouter;
pub fn endpoints() -> OpenApiRouter<App> {
    OpenApiRouter::new()
}
