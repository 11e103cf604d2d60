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
    IGrainContextAccessor accessor, SiloEngine silo, GrainClassMap classes, StateStorageResolver storages,
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
        var isInRow = storages.IsInProvider(storageName);
        var keepsTurn = !GrainClasses.IsReentrant(grainClass);
        TransactionalStateCore<TState> core;
        using (silo.Turn.Enter())
            core = isInRow
                ? silo.Engine.CreateRowState(key, codec, keepsTurn)
                : silo.Engine.CreateState(key, codec, keepsTurn);
        var observer = typeof(TransactionalState<TState>).FullName!;
        if (isInRow)
        {
            var row = NewRow(grain, key, codec, storageName);
            Add(grain, row);
            grain.ObservableLifecycle.Subscribe(
                observer, GrainLifecycleStage.SetupState, cancellation => silo.Rows.AcquireAsync(row, cancellation),
                cancellation => silo.Rows.LeaveAsync(row, cancellation));
        }
        else
        {
            var hidden = storages.MayHideRows(storageName) ? NewRow(grain, key, codec, storageName) : null;
            grain.ObservableLifecycle.Subscribe(
                observer,
                GrainLifecycleStage.SetupState,
                cancellation => JoinAsync(grain, hidden, cancellation),
                _ =>
                {
                    silo.Loads.Unload(key);
                    return Task.CompletedTask;
                });
        }

        return new TransactionalState<TState>(silo, grain, core, grainClass);
    }

    private async Task JoinAsync(IGrainContext grain, GrainRow? hidden, CancellationToken cancellationToken)
    {
        await silo.Partitions.JoinAsync(grain, cancellationToken);
        if (hidden is not null) await silo.HiddenStates.RequireNotInRowAsync(hidden, cancellationToken);
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
