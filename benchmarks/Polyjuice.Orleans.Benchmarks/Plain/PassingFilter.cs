using Orleans;

namespace Polyjuice.Orleans.Benchmarks.Plain;

/// <summary>Lets every call pass: what filters cost by being there.</summary>
internal sealed class PassingFilter : IIncomingGrainCallFilter, IOutgoingGrainCallFilter
{
    /// <inheritdoc/>
    public Task Invoke(IIncomingGrainCallContext context) => context.Invoke();

    /// <inheritdoc/>
    public Task Invoke(IOutgoingGrainCallContext context) => context.Invoke();
}
