using Microsoft.Extensions.DependencyInjection;
using Orleans.Runtime;
using Orleans.Serialization;
using Orleans.Transactions.Abstractions;

namespace Polyjuice.Testing;

/// <summary>Makes recorded states of those that a silo's engine makes.</summary>
internal sealed class RecordedStateFactory(
    ITransactionalStateFactory inner, HistoryRecorder recorder, IServiceProvider services) : ITransactionalStateFactory
{
    private readonly IGrainContextAccessor _grains = services.GetRequiredService<IGrainContextAccessor>();

    /// <inheritdoc/>
    public ITransactionalState<TState> Create<TState>(
        TransactionalStateConfiguration config) where TState : class, new() =>
        new RecordedState<TState>(
            inner.Create<Stamped<TState>>(config),
            recorder,
            $"{_grains.GrainContext.GrainId}/{config.StateName}",
            services.GetRequiredService<Serializer<TState>>());
}
