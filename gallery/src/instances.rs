// Written by superstep-gallery-generator; do not edit.
//! One instance of every kernel, for a few processor counts.

use superstep::build::{Algorithm, Builder};

use crate::kernels;
use crate::structure;

/// Adds every kernel of the gallery to `builder`.
pub fn all(mut builder: Builder) -> Builder {
    builder = builder.kernel(kernels::loops::nest_00::instance(5, 4).exactly([2, 5]));
    builder = builder.kernel(kernels::loops::nest_03::instance(53, 20).exactly([3]));
    builder = builder.kernel(kernels::loops::nest_06::instance(18).exactly([1, 2]));
    builder = builder.kernel(kernels::loops::nest_09::instance(55, 21).exactly([5]));
    builder = builder.kernel(kernels::loops::nest_12::instance(17).exactly([2, 3]));
    builder = builder.kernel(kernels::loops::nest_15::instance(48, 19).exactly([1]));
    builder = builder.kernel(kernels::loops::nest_18::instance(25, 11).exactly([2]));
    builder = builder.kernel(kernels::loops::nest_21::instance(52).exactly([2, 5]).private_memory([2, 5]));
    builder = builder.kernel(kernels::loops::nest_24::instance(41).exactly([3]).private_memory([3]));
    builder = builder.kernel(kernels::loops::nest_27::instance(29, 12).exactly([1, 2]).private_memory([1, 2]));
    builder = builder.kernel(kernels::loops::nest_30::instance(14, 7).exactly([5]).private_memory([5]));
    builder = builder.kernel(kernels::loops::nest_33::instance(56, 21).exactly([2, 3]).private_memory([2, 3]));
    builder = builder.kernel(kernels::nests::nest_01::instance(21, 10).exactly([1]).private_memory([1]));
    builder = builder.kernel(kernels::nests::nest_04::instance(19, 9).exactly([2]).private_memory([2]));
    builder = builder.kernel(kernels::nests::nest_07::instance(18, 9).exactly([2, 5]).algorithm(Algorithm::Bcsh));
    builder = builder.kernel(kernels::nests::nest_10::instance(10).exactly([3]).algorithm(Algorithm::Bcsh));
    builder = builder.kernel(kernels::nests::nest_13::instance(17).exactly([1, 2]).algorithm(Algorithm::Bcsh));
    builder = builder.kernel(kernels::nests::nest_16::instance(7, 5).exactly([5]).algorithm(Algorithm::Bcsh));
    builder = builder.kernel(kernels::nests::nest_19::instance(22, 10).exactly([2, 3]).algorithm(Algorithm::Bcsh));
    builder = builder.kernel(kernels::nests::nest_22::instance(11).exactly([1]).algorithm(Algorithm::Bcsh));
    builder = builder.kernel(kernels::nests::nest_25::instance(6).exactly([2]).algorithm(Algorithm::Bcsh));
    builder = builder.kernel(kernels::nests::nest_28::instance(19, 9).exactly([2, 5]));
    builder = builder.kernel(kernels::nests::nest_31::instance(14, 7).exactly([3]));
    builder = builder.kernel(kernels::nests::nest_34::instance(8, 5).exactly([1, 2]));
    builder = builder.kernel(kernels::deep_nests::nest_02::instance(5, 4).exactly([5]));
    builder = builder.kernel(kernels::deep_nests::nest_05::instance(7, 5).exactly([2, 3]));
    builder = builder.kernel(kernels::deep_nests::nest_08::instance(6).exactly([1]));
    builder = builder.kernel(kernels::deep_nests::nest_11::instance(7, 5).exactly([2]));
    builder = builder.kernel(kernels::deep_nests::nest_14::instance(7, 5).exactly([2, 5]).private_memory([2, 5]));
    builder = builder.kernel(kernels::deep_nests::nest_17::instance(8, 5).exactly([3]).private_memory([3]));
    builder = builder.kernel(kernels::deep_nests::nest_20::instance(9, 6).exactly([1, 2]).private_memory([1, 2]));
    builder = builder.kernel(kernels::deep_nests::nest_23::instance(6, 5).exactly([5]).private_memory([5]));
    builder = builder.kernel(kernels::deep_nests::nest_26::instance(10, 6).exactly([2, 3]).private_memory([2, 3]));
    builder = builder.kernel(kernels::deep_nests::nest_29::instance(5, 4).exactly([1]).private_memory([1]));
    builder = builder.kernel(kernels::deep_nests::nest_32::instance(8, 5).exactly([2]).private_memory([2]));
    builder = builder.kernel(kernels::deep_nests::nest_35::instance(11, 6).exactly([2, 5]).algorithm(Algorithm::Bcsh));
    builder = builder.kernel(kernels::branches::collatz::instance(28).exactly([3]).algorithm(Algorithm::Bcsh));
    builder = builder.kernel(kernels::branches::collatz_too::instance(30).exactly([1, 2]).algorithm(Algorithm::Bcsh));
    builder = builder.kernel(kernels::branches::coprime::instance(19).exactly([5]).algorithm(Algorithm::Bcsh));
    builder = builder.kernel(kernels::branches::coprime_too::instance(20).exactly([2, 3]).algorithm(Algorithm::Bcsh));
    builder = builder.kernel(kernels::branches::labels::instance(11, 8).exactly([1]).algorithm(Algorithm::Bcsh));
    builder = builder.kernel(kernels::branches::labels_too::instance(13, 9).exactly([2]).algorithm(Algorithm::Bcsh));
    builder = builder.kernel(kernels::branches::heap::instance(69).exactly([2, 5]));
    builder = builder.kernel(kernels::branches::heap_too::instance(43).exactly([3]));
    builder = builder.kernel(kernels::branches::sieve::instance(64).exactly([1, 2]));
    builder = builder.kernel(kernels::branches::sieve_too::instance(64).exactly([5]));
    builder = builder.kernel(kernels::branches::permutation::instance().exactly([2, 3]));
    builder = builder.kernel(kernels::branches::permutation_too::instance().exactly([1]));
    builder = builder.kernel(kernels::branches::digits::instance(36).exactly([2]));
    builder = builder.kernel(kernels::branches::digits_too::instance(37).exactly([2, 5]).private_memory([2, 5]));
    builder = builder.kernel(kernels::branches::merge::instance(17, 20).exactly([3]).private_memory([3]));
    builder = builder.kernel(kernels::branches::merge_too::instance(26, 19).exactly([1, 2]).private_memory([1, 2]));
    builder = builder.kernel(kernels::ranges::downwards::instance(44).exactly([5]).private_memory([5]));
    builder = builder.kernel(kernels::ranges::downwards_too::instance(48).exactly([2, 3]).private_memory([2, 3]));
    builder = builder.kernel(kernels::ranges::narrow::instance(33, 3).exactly([1]).private_memory([1]));
    builder = builder.kernel(kernels::ranges::narrow_too::instance(29, 4).exactly([2]).private_memory([2]));
    builder = builder.kernel(kernels::ranges::spiral::instance(7).exactly([2, 5]).algorithm(Algorithm::Bcsh));
    builder = builder.kernel(kernels::ranges::spiral_too::instance(9).exactly([3]).algorithm(Algorithm::Bcsh));
    builder = builder.kernel(kernels::ranges::gray::instance(5).exactly([1, 2]).algorithm(Algorithm::Bcsh));
    builder = builder.kernel(kernels::ranges::gray_too::instance(4).exactly([5]).algorithm(Algorithm::Bcsh));
    builder = builder.kernel(kernels::ranges::windows::instance(36, 5).exactly([2, 3]).algorithm(Algorithm::Bcsh));
    builder = builder.kernel(kernels::ranges::windows_too::instance(37, 4).exactly([1]).algorithm(Algorithm::Bcsh));
    builder = builder.kernel(kernels::ranges::tiles::instance(15, 5).exactly([2]).algorithm(Algorithm::Bcsh));
    builder = builder.kernel(kernels::ranges::tiles_too::instance(11, 5).exactly([2, 5]));
    builder = builder.kernel(kernels::ranges::forever::instance(33).exactly([3]));
    builder = builder.kernel(kernels::ranges::forever_too::instance(23).exactly([1, 2]));
    builder = builder.kernel(kernels::ranges::measured::instance(2, 12).exactly([5]));
    builder = builder.kernel(kernels::ranges::measured_too::instance(2, 9).exactly([2, 3]));
    {
        let (row, col) = structure::rows(120, 90, 6, 5);
        builder = builder.kernel(kernels::sparse::multiply::instance(&row, &col).exactly([1]));
    }
    {
        let (row, col) = structure::rows(40, 90, 6, 5);
        builder = builder.kernel(kernels::sparse::multiply_complex::instance(&row, &col).exactly([2]));
    }
    {
        let (row, col) = structure::rows(80, 60, 5, 8);
        let row: Vec<u32> = row.iter().map(|&word| word as u32).collect();
        let col: Vec<u16> = col.iter().map(|&word| word as u16).collect();
        builder = builder.kernel(kernels::sparse::transposed::instance(80, &row, &col).exactly([2, 5]).private_memory([2, 5]));
    }
    {
        let (row, col) = structure::lower_triangle(150, 4, 11);
        builder = builder.kernel(kernels::sparse::forward::instance(150, &row, &col).exactly([3]).private_memory([3]));
    }
    {
        let (row, col) = structure::lower_triangle(24000, 4, 11);
        builder = builder.kernel(kernels::sparse::forward_large::instance(24000, &row, &col).exactly([1, 2]).algorithm(Algorithm::GrowLocal));
    }
    {
        let (row, col) = structure::lower_triangle(130, 4, 11);
        builder = builder.kernel(kernels::sparse::backward::instance(130, &row, &col).exactly([5]).private_memory([5]));
    }
    {
        let (row, col) = structure::square_rows(60, 6, 3);
        builder = builder.kernel(kernels::sparse::incomplete_factor::instance(60, &row, &col).exactly([2, 3]).private_memory([2, 3]));
    }
    {
        let p = structure::permutation(52, 21);
        builder = builder.kernel(kernels::sparse::gather_i16::instance(&p).exactly([1]).private_memory([1]));
    }
    {
        let p = structure::permutation(54, 21);
        builder = builder.kernel(kernels::sparse::gather_pair::instance(&p).exactly([2]).private_memory([2]));
    }
    {
        let p = structure::permutation(100, 4);
        builder = builder.kernel(kernels::sparse::cycles::instance(100, &p).exactly([2, 5]).algorithm(Algorithm::Bcsh));
    }
    {
        let (from, to) = structure::edges(70, 400, 6);
        builder = builder.kernel(kernels::sparse::paths::instance(5, &from, &to).exactly([3]).algorithm(Algorithm::Bcsh));
    }
    {
        let (gate, left, right) = structure::circuit(40, 500, 9);
        builder = builder.kernel(kernels::sparse::circuit::instance(40, &gate, &left, &right).exactly([1, 2]).algorithm(Algorithm::Bcsh));
    }
    {
        let neighbour = structure::neighbours(9, 8);
        builder = builder.kernel(kernels::sparse::mesh::instance(72, 4, &neighbour).exactly([5]).algorithm(Algorithm::Bcsh));
    }
    {
        let parent = structure::tree(90, 2);
        builder = builder.kernel(kernels::sparse::tree_f32::instance(&parent).exactly([2, 3]).algorithm(Algorithm::Bcsh));
    }
    {
        let parent = structure::tree(90, 2);
        builder = builder.kernel(kernels::sparse::tree_i8::instance(&parent).exactly([1]).algorithm(Algorithm::Bcsh));
    }
    {
        let (from, to) = structure::edges(50, 300, 13);
        builder = builder.kernel(kernels::sparse::coordinates::instance(&from, &to).exactly([2]).algorithm(Algorithm::Bcsh));
    }
    {
        let (start, _) = structure::rows(45, 20, 9, 31);
        builder = builder.kernel(kernels::sparse::ragged::instance(&start).exactly([2, 5]));
    }
    builder = builder.kernel(kernels::locals::ring::instance(59).exactly([3]));
    builder = builder.kernel(kernels::locals::ring_too::instance(48).exactly([1, 2]));
    builder = builder.kernel(kernels::locals::blocks::instance(12).exactly([5]));
    builder = builder.kernel(kernels::locals::blocks_too::instance(12).exactly([2, 3]));
    builder = builder.kernel(kernels::locals::shadows::instance(24).exactly([1]));
    builder = builder.kernel(kernels::locals::shadows_too::instance(28).exactly([2]));
    builder = builder.kernel(kernels::locals::reused::instance(15).exactly([2, 5]).private_memory([2, 5]));
    builder = builder.kernel(kernels::locals::reused_too::instance(14).exactly([3]).private_memory([3]));
    builder = builder.kernel(kernels::locals::scalars::instance(21).exactly([1, 2]).private_memory([1, 2]));
    builder = builder.kernel(kernels::locals::scalars_too::instance(23).exactly([5]).private_memory([5]));
    builder = builder.kernel(kernels::locals::nested::instance().exactly([2, 3]).private_memory([2, 3]));
    builder = builder.kernel(kernels::locals::nested_too::instance().exactly([1]).private_memory([1]));
    builder = builder.kernel(kernels::locals::running::instance(13, 13).exactly([2]).private_memory([2]));
    builder = builder.kernel(kernels::locals::running_too::instance(11, 14).exactly([2, 5]).algorithm(Algorithm::Bcsh));
    builder = builder.kernel(kernels::locals::operands::instance(42).exactly([3]).algorithm(Algorithm::Bcsh));
    builder = builder.kernel(kernels::locals::operands_too::instance(48).exactly([1, 2]).algorithm(Algorithm::Bcsh));
    builder = builder.kernel(kernels::locals::helper::instance(53).exactly([5]).algorithm(Algorithm::Bcsh));
    builder = builder.kernel(kernels::locals::helper_too::instance(40).exactly([2, 3]).algorithm(Algorithm::Bcsh));
    builder = builder.kernel(kernels::types::over_f64::instance(64).exactly([1]).algorithm(Algorithm::Bcsh));
    builder = builder.kernel(kernels::types::over_i32::instance(40).exactly([2]).algorithm(Algorithm::Bcsh));
    builder = builder.kernel(kernels::types::over_f32::instance(65).exactly([2, 5]));
    builder = builder.kernel(kernels::types::over_u8::instance(84).exactly([3]));
    builder = builder.kernel(kernels::types::over_complex::instance(84).exactly([1, 2]));
    builder = builder.kernel(kernels::types::over_i64::instance(33).exactly([5]));
    builder = builder.kernel(kernels::types::over_bool::instance(79).exactly([2, 3]));
    builder = builder.kernel(kernels::types::over_u32::instance(31).exactly([1]));
    builder = builder.kernel(kernels::types::over_pair::instance(42).exactly([2]));
    builder = builder.kernel(kernels::types::over_i8::instance(43).exactly([2, 5]).private_memory([2, 5]));
    builder = builder.kernel(kernels::types::over_u64::instance(52).exactly([3]).private_memory([3]));
    builder = builder.kernel(kernels::types::over_i16::instance(88).exactly([1, 2]).private_memory([1, 2]));
    builder = builder.kernel(kernels::types::over_u16::instance(50).exactly([5]).private_memory([5]));
    builder = builder.kernel(kernels::types::over_usize::instance(75).exactly([2, 3]).private_memory([2, 3]));
    builder = builder.kernel(kernels::large::factor::instance(72).exactly([1]).private_memory([1]));
    builder = builder.kernel(kernels::large::cholesky::instance(90).exactly([2]).private_memory([2]));
    builder = builder.kernel(kernels::large::multiply_by_rows::instance(48).exactly([2, 5]).algorithm(Algorithm::Bcsh));
    builder = builder.kernel(kernels::large::multiply_outer::instance(48).exactly([3]).algorithm(Algorithm::Bcsh));
    builder = builder.kernel(kernels::large::weighted_columns::instance(330).exactly([1, 2]).algorithm(Algorithm::Bcsh));
    builder = builder.kernel(kernels::large::backward_many::instance(80, 34).exactly([5]).algorithm(Algorithm::Bcsh));
    builder = builder.kernel(kernels::large::orthogonalise::instance(48).exactly([2, 3]).algorithm(Algorithm::Bcsh));
    builder = builder.kernel(kernels::large::tridiagonal::instance(150, 200).exactly([1]).algorithm(Algorithm::Bcsh));
    builder = builder.kernel(kernels::large::heat::instance(260).exactly([2]).algorithm(Algorithm::Bcsh));
    builder = builder.kernel(kernels::large::gauss_seidel::instance(62, 30).exactly([2, 5]));
    builder = builder.kernel(kernels::large::red_black::instance(64, 28).exactly([3]));
    builder = builder.kernel(kernels::large::automaton::instance(330, 330).exactly([1, 2]));
    builder = builder.kernel(kernels::large::hadamard::instance(4096).exactly([5]));
    builder = builder.kernel(kernels::large::bitonic::instance(2048).exactly([2, 3]));
    builder = builder.kernel(kernels::large::scan::instance(5000).exactly([1]));
    builder = builder.kernel(kernels::large::fourier::instance(4096).exactly([2]));
    builder = builder.kernel(kernels::large::convolution::instance(1000, 110).exactly([2, 5]).private_memory([2, 5]));
    builder = builder.kernel(kernels::large::all_paths::instance().exactly([3]).private_memory([3]));
    builder = builder.kernel(kernels::large::edit_distance::instance(330).exactly([1, 2]).private_memory([1, 2]));
    builder = builder.kernel(kernels::large::alignment::instance(240).exactly([5]).private_memory([5]));
    builder = builder.kernel(kernels::large::knapsack::instance(100, 1100).exactly([2, 3]).private_memory([2, 3]));
    builder = builder.kernel(kernels::large::parentheses::instance(92).exactly([1]).private_memory([1]));
    builder = builder.kernel(kernels::large::escape::instance(44, 26).exactly([2]).private_memory([2]));
    builder = builder.kernel(kernels::large::bodies::instance(330).exactly([2, 5]).algorithm(Algorithm::Bcsh));
    builder = builder.kernel(kernels::large::hash::instance(1700).exactly([3]).algorithm(Algorithm::Bcsh));
    builder = builder.kernel(kernels::large::horner::instance(320, 320).exactly([1, 2]).algorithm(Algorithm::Bcsh));
    builder = builder.kernel(kernels::overflow::factorials::instance(20).exactly([5]).algorithm(Algorithm::Bcsh));
    builder = builder.kernel(kernels::overflow::fibonacci_numbers::instance(30).exactly([2, 3]).algorithm(Algorithm::Bcsh));
    builder = builder.kernel(kernels::overflow::negated_minimum::instance(40).exactly([1]).algorithm(Algorithm::Bcsh));
    builder = builder.kernel(kernels::overflow::summed_squares::instance(64).exactly([2]).algorithm(Algorithm::Bcsh));
    builder = builder.kernel(kernels::blocks::matrix_vector::instance(39).exactly([2, 5]));
    builder = builder.kernel(kernels::blocks::rank_three::instance(45).exactly([3]));
    builder = builder.kernel(kernels::blocks::sums_in_turn::instance(42).exactly([1, 2]));
    builder = builder.kernel(kernels::blocks::line_by_line::instance(43).exactly([5]));
    builder = builder.kernel(kernels::blocks::triangle_of_sums::instance(52).exactly([2, 3]));
    builder = builder.kernel(kernels::blocks::from_the_last::instance(38).exactly([1]));
    builder = builder.kernel(kernels::blocks::pages_apart::instance(42).exactly([2]));
    builder = builder.kernel(kernels::blocks::overlapping_lines::instance(41).exactly([2, 5]).private_memory([2, 5]));
    builder = builder.kernel(kernels::blocks::steps_apart::instance(40).exactly([3]).private_memory([3]));
    builder = builder.kernel(kernels::library::powers::instance().exactly([1, 2]).private_memory([1, 2]));
    builder = builder.kernel(kernels::library::activations::instance().exactly([5]).private_memory([5]));
    builder = builder.kernel(kernels::library::decibels::instance().exactly([2, 3]).private_memory([2, 3]));
    builder = builder.kernel(kernels::library::angles::instance().exactly([1]).private_memory([1]));
    builder = builder.kernel(kernels::library::window::instance(64).exactly([2]).private_memory([2]));
    builder
}
