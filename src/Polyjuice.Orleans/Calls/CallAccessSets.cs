using System.Collections.Concurrent;
using System.Reflection;
using Orleans.Runtime;
using Orleans.Serialization.Invocation;
using Polyjuice.Agents;
using Polyjuice.Contracts;
using Polyjuice.Orleans.Idempotency;

namespace Polyjuice.Orleans.Calls;

/// <summary>The access sets that methods declare, for their calls. Thread-safe.</summary>
internal sealed class CallAccessSets(GrainCatalogue catalogue)
{
    private readonly ConcurrentDictionary<MethodInfo, DeclaredAccesses?> _methods = new();

    /// <summary>What a call of a method that declares something accesses.</summary>
    public IDeclaredAccessSet? Of(IInvokable request, IGrainContext grain) =>
        _methods.GetOrAdd(
            request.GetMethod(), static (method, known) => DeclaredAccesses.Of(method, known),
            catalogue) is { } declared
            ? new CallAccessSet(declared, catalogue, request, grain)
            : null;

    private sealed class CallAccessSet(
        DeclaredAccesses declared, GrainCatalogue catalogue, IInvokable request,
        IGrainContext grain) : IDeclaredAccessSet
    {
        public IReadOnlyList<DeclaredAccess> Of(ITransactionBody body)
        {
            var accesses = declared.Of(catalogue, grain, request.GetArgument);
            return request is IdempotentRequest { Access: var access } ? [.. accesses, access] : accesses;
        }
    }
}
