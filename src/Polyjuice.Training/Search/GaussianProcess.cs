using MathNet.Numerics;
using MathNet.Numerics.LinearAlgebra;

namespace Polyjuice.Training.Search;

/// <summary>
/// Guesses how a table will do from those that were replayed: a Gaussian process over tables (Rasmussen and Williams,
/// 2006, algorithm 2.1), whose kernel falls with the cells in which two differ. So it knows how sure it is, which a
/// search wants to know. The kernel's length is the one of a few that makes what was seen most probable.
/// </summary>
internal sealed class GaussianProcess : ISurrogate
{
    private static readonly double[] _lengths = [2, 6, 20, 60, 200];

    private readonly TableSpace _space;
    private readonly IReadOnlyList<Standing> _seen;
    private readonly double _length;
    private readonly double _mean;
    private readonly double _variance;
    private readonly MathNet.Numerics.LinearAlgebra.Factorization.Cholesky<double> _factor;
    private readonly Vector<double> _weights;

    // The sums of a parallel factorisation would depend on the machine.
    static GaussianProcess() => Control.UseSingleThread();

    private GaussianProcess(
        TableSpace space, IReadOnlyList<Standing> seen, double length, double mean, double variance,
        MathNet.Numerics.LinearAlgebra.Factorization.Cholesky<double> factor, Vector<double> weights)
    {
        _space = space;
        _seen = seen;
        _length = length;
        _mean = mean;
        _variance = variance;
        _factor = factor;
        _weights = weights;
    }

    /// <inheritdoc cref="SurrogateFit"/>
    public static GaussianProcess Fit(TableSpace space, IReadOnlyList<Standing> seen, double noise)
    {
        var means = seen.Select(standing => standing.Mean).ToArray();
        var mean = means.Average();
        var variance = Math.Max(1e-6, means.Sum(one => (one - mean) * (one - mean)) / means.Length);
        var targets = Vector<double>.Build.DenseOfEnumerable(means.Select(one => one - mean));
        var distances = new double[seen.Count, seen.Count];
        for (var i = 0; i < seen.Count; i++)
        {
            for (var j = 0; j < i; j++)
                distances[i, j] = distances[j, i] = Distance(space, seen[i].Candidate, seen[j].Candidate);
        }

        GaussianProcess? best = null;
        var bestLikelihood = double.NegativeInfinity;
        foreach (var length in _lengths)
        {
            var kernel = Matrix<double>.Build.Dense(
                seen.Count,
                seen.Count,
                (i, j) => (variance * Math.Exp(-distances[i, j] / length))
                    + (i == j ? (noise * noise / seen[i].Depth) + 1e-9 : 0));
            var factor = kernel.Cholesky();
            var weights = factor.Solve(targets);
            var likelihood = -0.5 * (targets.DotProduct(weights) + factor.DeterminantLn);
            if (likelihood <= bestLikelihood) continue;
            bestLikelihood = likelihood;
            best = new GaussianProcess(space, seen, length, mean, variance, factor, weights);
        }

        return best!;
    }

    /// <inheritdoc/>
    public (double Mean, double Deviation) Guess(Candidate candidate)
    {
        var kernel = Vector<double>.Build.Dense(
            _seen.Count, i => _variance * Math.Exp(-Distance(_space, candidate, _seen[i].Candidate) / _length));
        var variance = _variance - kernel.DotProduct(_factor.Solve(kernel));
        return (_mean + kernel.DotProduct(_weights), Math.Sqrt(Math.Max(0, variance)));
    }

    /// <summary>
    /// How much two tables differ: 1 for a cell, less where choices that are ordered lie near each other.
    /// </summary>
    private static double Distance(TableSpace space, Candidate a, Candidate b)
    {
        var left = a.Choices;
        var right = b.Choices;
        var distance = 0.0;
        for (var i = 0; i < left.Length; i++)
        {
            if (left[i] == right[i]) continue;
            var cell = space.Cells[i];
            distance += cell.IsOrdered ? 0.5 + (0.5 * Math.Abs(left[i] - right[i]) / (cell.Choices - 1)) : 1;
        }

        return distance;
    }
}
