// Triangular solves of OneStopParallel for `osp.rs`, by GrowLocal for processors that share memory.
//
// The library takes an adapter of Eigen's matrices as its graph, and keeps pointers to the matrix.
#define EIGEN_FOUND 1
// Headers of the library use these without including them.
#include <memory>
#include <set>

#include <omp.h>

#include <Eigen/Core>
#include <Eigen/Sparse>

#include "osp/auxiliary/sptrsv_simulator/ScheduleNodePermuter.hpp"
#include "osp/auxiliary/sptrsv_simulator/sptrsv.hpp"
#include "osp/bsp/scheduler/GreedySchedulers/GrowLocalAutoCores.hpp"
#include "osp/graph_implementations/eigen_matrix_adapter/sparse_matrix.hpp"

namespace {
using Graph = osp::SparseMatrixImp<int32_t>;
using Rows = Eigen::SparseMatrix<double, Eigen::RowMajor, int32_t>;
using Columns = Eigen::SparseMatrix<double, Eigen::ColMajor, int32_t>;

// What a superstep costs, in units of work: the library's own examples have 500.
constexpr int LATENCY = 500;
} // namespace

struct Osp {
    Rows rows;
    Columns columns;
    Graph graph;
    std::unique_ptr<osp::BspInstance<Graph>> instance;
    std::unique_ptr<osp::BspSchedule<Graph>> schedule;
    std::unique_ptr<osp::Sptrsv<int32_t>> in_place, permuted;
    std::vector<size_t> permutation;
};

extern "C" {
// Schedules the solve of a lower triangle in rows; null where the schedule is not valid.
Osp *osp_new(int n, const int *starts, const int *columns, const double *values, unsigned processors) noexcept {
    // A thread too few, and rows were left out.
    omp_set_dynamic(0);
    auto osp = std::make_unique<Osp>();
    osp->rows = Eigen::Map<const Rows>(n, n, starts[n], starts, columns, values);
    osp->rows.makeCompressed();
    osp->columns = osp->rows;
    osp->graph.SetCsr(&osp->rows);
    osp->graph.SetCsc(&osp->columns);
    osp::BspArchitecture<Graph> architecture(processors, 1, LATENCY);
    osp->instance = std::make_unique<osp::BspInstance<Graph>>(osp->graph, architecture);
    osp->schedule = std::make_unique<osp::BspSchedule<Graph>>(*osp->instance);
    osp::GrowLocalAutoCores<Graph> scheduler;
    scheduler.ComputeSchedule(*osp->schedule);
    osp->schedule->UpdateNumberOfSupersteps();
    if (!osp->schedule->SatisfiesPrecedenceConstraints()) {
        return nullptr;
    }
    osp->in_place = std::make_unique<osp::Sptrsv<int32_t>>(*osp->instance);
    osp->in_place->SetupCsrNoPermutation(*osp->schedule);
    osp->permuted = std::make_unique<osp::Sptrsv<int32_t>>(*osp->instance);
    osp->permutation = osp::ScheduleNodePermuterBasic(*osp->schedule, osp::LOOP_PROCESSORS);
    osp->permuted->SetupCsrWithPermutation(*osp->schedule, osp->permutation);
    return osp.release();
}

// Writes the new number of each row.
void osp_permutation(const Osp *osp, size_t *numbers) noexcept {
    std::copy(osp->permutation.begin(), osp->permutation.end(), numbers);
}

void osp_serial(Osp *osp, const double *b, double *x) noexcept {
    osp->in_place->b_ = b;
    osp->in_place->x_ = x;
    osp->in_place->LsolveSerial();
}

void osp_in_place(Osp *osp, const double *b, double *x) noexcept {
    osp->in_place->b_ = b;
    osp->in_place->x_ = x;
    osp->in_place->LsolveNoPermutation();
}

// Solves for vectors that are permuted.
void osp_permuted(Osp *osp, const double *b, double *x) noexcept {
    osp->permuted->b_ = b;
    osp->permuted->x_ = x;
    osp->permuted->LsolveWithPermutation();
}

void osp_free(Osp *osp) noexcept { delete osp; }
}
