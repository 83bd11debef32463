//! Paths in graphs.

use superstep::kernel;

/// Finds all shortest paths in a graph of `n` nodes (Floyd and Warshall).
#[kernel]
pub fn floyd(n: usize, distance: &mut [f64]) {
    for k in 0..n {
        for i in 0..n {
            for j in 0..n {
                distance[i * n + j] =
                    distance[i * n + j].min(distance[i * n + k] + distance[k * n + j]);
            }
        }
    }
}

/// Finds which nodes can be reached from which (Warshall).
#[kernel]
pub fn closure(n: usize, reach: &mut [bool]) {
    for k in 0..n {
        for i in 0..n {
            for j in 0..n {
                reach[i * n + j] |= reach[i * n + k] && reach[k * n + j];
            }
        }
    }
}

/// Finds the shortest paths from one node in `rounds` rounds over all edges (Bellman and Ford).
#[kernel]
pub fn bellman_ford(
    rounds: usize,
    #[structure] from: &[u32],
    #[structure] to: &[u32],
    length: &[f32],
    distance: &mut [f32],
) {
    for _ in 0..rounds {
        for e in 0..from.len() {
            let way = distance[from[e] as usize] + length[e];
            distance[to[e] as usize] = distance[to[e] as usize].min(way);
        }
    }
}
