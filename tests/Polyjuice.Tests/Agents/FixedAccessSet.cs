using Polyjuice.Agents;
using Polyjuice.Contracts;

namespace Polyjuice.Tests.Agents;

/// <summary>Declares the same of every call.</summary>
internal sealed class FixedAccessSet(params DeclaredAccess[] accesses) : IDeclaredAccessSet
{
    public IReadOnlyList<DeclaredAccess> Of(ITransactionBody body) => accesses;
}
