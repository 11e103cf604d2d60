using Polyjuice.Execution;
using Polyjuice.Reconnaissance;

namespace Polyjuice.Tests.Execution;

/// <summary>Declares the same of every call.</summary>
internal sealed class FixedAccessSet(params DeclaredAccess[] accesses) : IDeclaredAccessSet
{
    public IReadOnlyList<DeclaredAccess> Of(ITransactionBody body) => accesses;
}
