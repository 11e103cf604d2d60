using Microsoft.Extensions.DependencyInjection;
using Orleans.Metadata;
using Orleans.Runtime;
using Orleans.Transactions.Abstractions;
using Polyjuice.Orleans.Silos;

namespace Polyjuice.Orleans.States;

/// <summary>Makes the transactional states that grains ask for in their constructors.</summary>
internal sealed class TransactionalStateFactory(IGrainContextAccessor accessor, SiloEngine silo, GrainClassMap classes) : ITransactionalStateFactory
{
    /// <inheritdoc/>
    public ITransactionalState<TState> Create<TState>(TransactionalStateConfiguration config) where TState : class, new() => Create<TState>(config.StateName);

    /// <summary>The state of a name, for the grain that is being made.</summary>
    public TransactionalState<TState> Create<TState>(string name) where TState : class, new()
    {
        var grain = accessor.GrainContext;
        var codec = grain.ActivationServices.GetRequiredService<OrleansStateCodec<TState>>();
        classes.TryGetGrainClass(grain.GrainId.Type, out var grainClass);
        var state = new TransactionalState<TState>(silo, grain, name, codec, grainClass);
        grain.ObservableLifecycle.Subscribe(typeof(TransactionalState<TState>).FullName!, GrainLifecycleStage.SetupState, cancellation => silo.JoinAsync(grain, cancellation));
        return state;
    }
}
