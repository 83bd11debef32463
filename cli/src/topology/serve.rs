//! `cargo superstep topology serve`: answers those who measure.

use std::{net::SocketAddr, path::PathBuf, thread, time::Duration};

use clap::Args;
use superstep_network::topology::tcp::Server;

use super::{error::TopologyError, hosts};
use crate::{failure::Failure, output};

/// Answer those who measure the network, and pings of other hosts, until it is interrupted
#[derive(Args)]
pub(crate) struct Arguments {
    /// Address to listen on, by which all other hosts reach this one; port 0 is any that is free
    #[arg(long, value_name = "ADDRESS:PORT")]
    listen: SocketAddr,
    /// File of the token that all hosts share, of 16 bytes or more
    #[arg(long, value_name = "FILE")]
    token_file: PathBuf,
    /// End after this time
    #[arg(long = "for", value_name = "SECONDS", value_parser = hosts::seconds)]
    time: Option<f64>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let token = hosts::token(&arguments.token_file)?;
    let listen = |source| TopologyError::Listen {
        address: arguments.listen,
        source,
    };
    let server = Server::bind(arguments.listen, token).map_err(listen)?;
    output::write(&format!("listening on {}\n", server.address()))?;
    let Some(time) = arguments.time else {
        server.run();
    };
    thread::Builder::new()
        .spawn(move || server.run())
        .map_err(listen)?;
    thread::sleep(Duration::from_secs_f64(time));
    Ok(())
}
