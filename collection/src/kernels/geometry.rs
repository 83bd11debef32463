//! Geometry.

use superstep::kernel;

/// A ray: its origin, and one over its direction.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ray {
    /// Its beginning.
    pub origin: [f32; 3],
    /// One over each component of its direction.
    pub inverse: [f32; 3],
}

/// A box whose sides are parallel to the axes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Aabb {
    /// Its least corner.
    pub low: [f32; 3],
    /// Its greatest corner.
    pub high: [f32; 3],
}

/// Returns how far along a ray a box is; infinite, if the ray misses it.
fn hit(ray: Ray, aabb: Aabb) -> f32 {
    let (mut enter, mut leave) = (0.0f32, f32::INFINITY);
    for axis in 0..3 {
        let a = (aabb.low[axis] - ray.origin[axis]) * ray.inverse[axis];
        let b = (aabb.high[axis] - ray.origin[axis]) * ray.inverse[axis];
        enter = enter.max(a.min(b));
        leave = leave.min(a.max(b));
    }
    if enter <= leave { enter } else { f32::INFINITY }
}

/// Finds how far each of `rays` rays goes until it hits one of `boxes` boxes.
#[kernel]
pub fn boxes(rays: usize, boxes: usize, ray: &[Ray], aabb: &[Aabb], nearest: &mut [f32]) {
    for r in 0..rays {
        nearest[r] = f32::INFINITY;
        for b in 0..boxes {
            nearest[r] = nearest[r].min(hit(ray[r], aabb[b]));
        }
    }
}

/// A point of the plane.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    /// To the right.
    pub x: f32,
    /// Up.
    pub y: f32,
}

/// Finds which of `n` points are inside a polygon of `m` corners.
#[kernel]
pub fn polygon(n: usize, m: usize, point: &[Point], corner: &[Point], inside: &mut [bool]) {
    for i in 0..n {
        inside[i] = false;
        for j in 0..m {
            let a = corner[j];
            let b = corner[(j + 1) % m];
            let at: f32 = a.x + (point[i].y - a.y) / (b.y - a.y) * (b.x - a.x);
            inside[i] ^= (a.y > point[i].y) != (b.y > point[i].y) && point[i].x < at;
        }
    }
}

/// The point between two.
fn between(a: Point, b: Point, t: f32) -> Point {
    Point {
        x: a.x + t * (b.x - a.x),
        y: a.y + t * (b.y - a.y),
    }
}

/// `n` points of a curve with 8 control points (Bézier), by the scheme of de Casteljau.
#[kernel]
pub fn bezier(n: usize, control: &[Point; 8], curve: &mut [Point]) {
    for i in 0..n {
        let t = i as f32 / n as f32;
        let mut p = [Point::default(); 8];
        for k in 0..8 {
            p[k] = control[k];
        }
        for level in 1..8 {
            for k in 0..8 - level {
                p[k] = between(p[k], p[k + 1], t);
            }
        }
        curve[i] = p[0];
    }
}
