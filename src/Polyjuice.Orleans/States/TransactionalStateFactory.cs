using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;
using Orleans;
using Orleans.Configuration;
using Orleans.Metadata;
using Orleans.Runtime;
using Orleans.Transactions.Abstractions;
using Polyjuice.Agents;
using Polyjuice.Contracts;
using Polyjuice.Orleans.Calls;
using Polyjuice.Orleans.Rows;
using Polyjuice.Orleans.Silos;

namespace Polyjuice.Orleans.States;

/// <summary>Makes the transactional states that grains ask for in their constructors.</summary>
internal sealed class TransactionalStateFactory(
    IGrainContextAccessor accessor, GrainEngines engines, GrainClassMap classes, StateStorageResolver storages,
    ProviderFormat format, IOptions<PolyjuiceOptions> options) : ITransactionalStateFactory
{
    /// <inheritdoc/>
    public ITransactionalState<TState> Create<TState>(
        TransactionalStateConfiguration config) where TState : class, new() =>
        Create<TState>(config.StateName, config.StorageName);

    /// <summary>The state of a name, for the grain that is being made.</summary>
    public TransactionalState<TState> Create<TState>(string name, string? storageName) where TState : class, new()
    {
        var grain = accessor.GrainContext;
        var codec = grain.ActivationServices.GetRequiredService<OrleansStateCodec<TState>>();
        classes.TryGetGrainClass(grain.GrainId.Type, out var grainClass);
        var key = new ParticipantKey(
            grain.GrainId.ToString(), name, grainClass?.Name ?? grain.GrainId.Type.ToString()!);

        // What grain classes declare was looked at when the silo started; code may ask for other states.
        if (storages.WhyForgotten(name, storageName, grainClass) is { } reason)
            throw new OrleansConfigurationException(reason);
        var isInRow = storages.IsInProvider(storageName);
        var state = new TransactionalState<TState>(grain, grainClass);
        var observer = typeof(TransactionalState<TState>).FullName!;
        if (isInRow)
        {
            var row = NewRow(grain, key, codec, storageName);
            Add(grain, row);
            grain.ObservableLifecycle.Subscribe(
                observer, GrainLifecycleStage.SetupState,
                cancellation => Attach().Rows.AcquireAsync(row, cancellation),
                cancellation => engines.Of(grain).Rows.LeaveAsync(row, cancellation));
        }
        else
        {
            var hidden = storages.MayHideRows(storageName) ? NewRow(grain, key, codec, storageName) : null;
            grain.ObservableLifecycle.Subscribe(
                observer,
                GrainLifecycleStage.SetupState,
                cancellation => JoinAsync(Attach(), grain, hidden, cancellation),
                _ =>
                {
                    engines.Of(grain).Loads.Unload(key);
                    return Task.CompletedTask;
                });
        }

        return state;

        // Not when the grain is made: by now the silo has looked at the cluster's membership, by which an engine serves
        // the grain's partition.
        SiloEngine Attach()
        {
            var engine = engines.Of(grain);
            var keepsTurn = !GrainClasses.IsReentrant(grainClass);
            using (engine.Turn.Enter())
            {
                state.Attach(engine, isInRow
                    ? engine.Engine.CreateRowState(key, codec, keepsTurn)
                    : engine.Engine.CreateState(key, codec, keepsTurn));
            }

            return engine;
        }
    }

    private static async Task JoinAsync(
        SiloEngine engine, IGrainContext grain, GrainRow? hidden, CancellationToken cancellationToken)
    {
        await engine.Partitions.JoinAsync(grain, cancellationToken);
        if (hidden is not null) await engine.HiddenStates.RequireNotInRowAsync(hidden, cancellationToken);
    }

    private static void Add(IGrainContext grain, GrainRow row)
    {
        var rows = grain.GetComponent<GrainRows>();
        if (rows is null) grain.SetComponent(rows = []);
        rows.Add(row);
    }

    private GrainRow NewRow<TState>(
        IGrainContext grain, ParticipantKey key, OrleansStateCodec<TState> codec,
        string? storageName) where TState : class, new()
    {
        return new GrainRowOf<TState>(
            grain, key, storageName, codec,
            () => new ProviderRow<TState>(grain, key.State, Storage, format, options.Value.StateStorageTimeout));

        ITransactionalStateStorage<TState> Storage() =>
            grain.ActivationServices.GetRequiredService<INamedTransactionalStateStorageFactory>()
                .Create<TState>(storageName, key.State);
    }
}
