using Polyjuice.Policies;
using Polyjuice.Training.Traces;

namespace Polyjuice.Cli.Policies;

/// <summary>The transaction types that have run while a trace was recorded.</summary>
/// <param name="trace">The trace.</param>
internal sealed class RecordedTypes(AccessTrace trace) : ITransactionTypes
{
    /// <inheritdoc/>
    public IReadOnlyCollection<string> Names => trace.Types;

    /// <inheritdoc/>
    public bool Has(string type) => trace.Types.Contains(type, StringComparer.Ordinal);
}
