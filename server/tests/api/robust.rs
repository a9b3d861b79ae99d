//! What misbehaving clients, broken parts and unlucky moments do to the program: nothing that anybody else would feel.

mod bodies;
mod commits;
mod connections;
mod odd_input;
mod outages;
mod program;
mod proxies;
mod repeats;
mod tls;
mod writes;
