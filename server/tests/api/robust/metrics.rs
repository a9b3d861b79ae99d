//! The measurements that a running server shows at `/metrics`.

use crate::support::program::{Installation, Program};

async fn get(program: &Program, path: &str) -> String {
    let answer = reqwest::get(program.url(path)).await.expect("the server answers");
    answer.text().await.expect("the answer is text")
}

/// The samples of this name for the requests of `/healthz`, each with its labels.
fn samples<'a>(metrics: &'a str, name: &str) -> Vec<(&'a str, u64)> {
    let lines = metrics.lines().filter(|line| line.contains(r#"route="/healthz""#));
    let ours = lines.filter_map(|line| line.strip_prefix(name)?.strip_prefix('{')?.split_once("} "));
    ours.map(|(labels, value)| (labels, value.parse().expect("a count"))).collect()
}

#[tokio::test]
async fn request_durations_are_a_histogram_that_counts_every_request_once() {
    let installation = Installation::make().await;
    let program = installation.serve(&[]);
    let mut requests = 0;
    for more in [3, 0, 4] {
        for _ in 0..more {
            assert_eq!(get(&program, "/healthz").await, "ok");
        }
        requests += more;
        let metrics = get(&program, "/metrics").await;
        assert!(metrics.contains("# TYPE visadesk_request_seconds histogram"), "{metrics}");
        // The quantiles of a summary cannot be added up over several nodes.
        assert!(!metrics.contains("quantile="), "{metrics}");

        let buckets = samples(&metrics, "visadesk_request_seconds_bucket");
        let bounds: Vec<&str> =
            buckets.iter().filter_map(|(labels, _)| labels.rsplit_once("le=")).map(|le| le.1).collect();
        assert!(bounds.contains(&r#""0.1""#) && bounds.last() == Some(&r#""+Inf""#), "{bounds:?}");
        let counts: Vec<u64> = buckets.iter().map(|(_, count)| *count).collect();
        assert!(counts.is_sorted() && counts.last() == Some(&requests), "{requests} requests: {buckets:?}");
        let counted: Vec<u64> =
            samples(&metrics, "visadesk_request_seconds_count").iter().map(|(_, count)| *count).collect();
        assert_eq!(counted, [requests], "a measurement does not reset it");
    }
}

#[tokio::test]
async fn metrics_can_have_an_address_of_their_own() {
    let installation = Installation::make().await;
    let free = std::net::TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a port");
    let program = installation.serve(&[("VISADESK_METRICS__LISTEN", &free.to_string())]);
    assert_eq!(get(&program, "/healthz").await, "ok");
    let metrics = reqwest::get(format!("http://{free}/metrics")).await.expect("an answer").text().await.expect("text");
    assert!(metrics.contains("visadesk_request_seconds"), "{metrics}");
    assert!(!get(&program, "/metrics").await.contains("visadesk_request_seconds"), "it is not shown twice");
    for path in ["/healthz", "/api/user_info", "/"] {
        let answer = reqwest::get(format!("http://{free}{path}")).await.expect("an answer");
        assert_eq!(answer.status(), 404, "{path}: there is nothing else");
    }
}

#[tokio::test]
async fn an_address_of_metrics_that_is_none_is_refused() {
    let installation = Installation::make().await;
    let output = installation
        .command(&["check-config"])
        .env("VISADESK_METRICS__LISTEN", "localhost:x")
        .output()
        .expect("it runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && said.contains("metrics.listen is an address such as"), "{said}");
}
