using Polyjuice.Execution;
using Polyjuice.Reconnaissance;

namespace Polyjuice.Embedded.Core;

/// <summary>The access sets of a method's calls.</summary>
internal sealed class MethodAccessSet(DeclaredAccesses declared, IGrainCatalogue catalogue) : IDeclaredAccessSet
{
    /// <inheritdoc/>
    public IReadOnlyList<DeclaredAccess> Of(ITransactionBody body)
    {
        var run = (Activation.RootRun)body;
        return declared.Of(catalogue, run.Activation, run.Arguments.ArgumentAt);
    }
}
