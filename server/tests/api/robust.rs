//! Misbehaving clients, failing dependencies and crashes must not affect other requests.

mod bodies;
mod children;
mod commits;
mod connections;
mod imports;
mod locks;
mod logs;
mod look_ups;
mod metrics;
mod nodes;
mod odd_input;
mod outages;
mod panics;
mod program;
mod proxies;
mod races;
mod repeats;
mod shares;
mod slow_statements;
mod sqlstates;
mod tls;
mod together;
mod writes;
