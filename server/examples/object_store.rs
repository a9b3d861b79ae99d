//! An S3 server over a folder, for tests of the whole program: `object_store ADDRESS FOLDER BUCKET ACCESS_KEY SECRET_KEY`.
//! Prints its address when it is ready, and serves until it is ended.

use std::error::Error;

use hyper::server::conn::http1;
use hyper_util::rt::TokioIo;
use s3s::auth::SimpleAuth;
use s3s::service::S3ServiceBuilder;
use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [address, folder, bucket, access_key, secret_key] = arguments.as_slice() else {
        return Err("usage: object_store ADDRESS FOLDER BUCKET ACCESS_KEY SECRET_KEY".into());
    };
    std::fs::create_dir_all(std::path::Path::new(folder).join(bucket))?;
    let mut service = S3ServiceBuilder::new(s3s_fs::FileSystem::new(folder).map_err(|error| format!("{error:?}"))?);
    service.set_auth(SimpleAuth::from_single(access_key.as_str(), secret_key.as_str()));
    let service = service.build();
    let listener = TcpListener::bind(address).await?;
    println!("http://{}", listener.local_addr()?);
    loop {
        let (stream, _) = listener.accept().await?;
        let connection = http1::Builder::new().serve_connection(TokioIo::new(stream), service.clone());
        tokio::spawn(async move {
            // A client that breaks off is no fault of the server.
            let _ = connection.await;
        });
    }
}
