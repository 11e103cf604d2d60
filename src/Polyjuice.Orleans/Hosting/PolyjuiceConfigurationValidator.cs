using System.Reflection;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Orleans;
using Orleans.Concurrency;
using Orleans.Configuration;
using Orleans.Placement;
using Orleans.Runtime;
using Orleans.Serialization.Serializers;
using Orleans.Transactions;
using Orleans.Transactions.Abstractions;
using Polyjuice.Contracts;
using Polyjuice.Orleans.Calls;
using Polyjuice.Orleans.Groups;
using Polyjuice.Orleans.Hosting;
using Polyjuice.Orleans.Outboxes;
using Polyjuice.Orleans.Rows;
using Polyjuice.Orleans.Silos;
using Polyjuice.Storage;

namespace Polyjuice.Orleans;

/// <summary>Refuses, when a silo starts and by name, what could not work.</summary>
internal sealed class PolyjuiceConfigurationValidator(
    IOptions<PolyjuiceOptions> options, IOptions<GrainTypeOptions> grains, ICodecProvider codecs,
    IServiceProvider services, ILoggerFactory loggers) : IConfigurationValidator
{
    private readonly StateStorageResolver _storages = new(options, services);
    private readonly HashSet<string> _missing = new(StringComparer.Ordinal);

    /// <inheritdoc/>
    public void ValidateConfiguration()
    {
        ValidateRegistrations();
        var value = options.Value;
        OptionRanges.Check(value);
        OptionRanges.Check(value.Engine);
        OptionRanges.Check(value.Trace);
        OptionRanges.Check(value.Outbox);
        ValidateLogs(value.LogProvider);
        foreach (var (name, choice) in value.StateStorageOf)
        {
            if (!Enum.IsDefined(choice))
                throw new OrleansConfigurationException(
                    $"{nameof(PolyjuiceOptions)}.{nameof(PolyjuiceOptions.StateStorageOf)}[\"{name}\"] is {choice}, "
                    + $"which is no {nameof(StateStorage)}.");
        }

        foreach (var grainClass in grains.Value.Classes.Where(PartitionPlacementResolver.IsTransactional))
        {
            Validate(grainClass);
            ValidateStorages(grainClass);
        }

        ValidateGroups();
        ValidateDeclaredAccesses();
        if (services.GetService<OutboxWatch>() is not null && _storages.LacksLogsBeside(grains.Value.Classes))
        {
            throw new OrleansConfigurationException(
                "The silo has outbox senders, keeps states with storage providers, and no logs were added to it: "
                + "messages would be in its memory, and be forgotten while those states stay. Add logs that "
                + "outlive it, such as AddFileLogAsDefault(), or say that none are needed, by "
                + "AddMemoryLogAsDefault().");
        }
    }

    private void ValidateLogs(string used)
    {
        const string Option = $"{nameof(PolyjuiceOptions)}.{nameof(PolyjuiceOptions.LogProvider)}";
        const string Default = PolyjuiceOptions.DefaultLogProvider;
        var added = services.GetService<AddedLogs>();
        if (used != Default && services.GetKeyedService<ILogStoreProvider>(used) is null)
        {
            throw new OrleansConfigurationException(
                $"{Option} is '{used}', and no logs of that name were added to the silo. Added: "
                + $"{added?.Text ?? "none"}. Add them, for example with AddFileLog(\"{used}\", …), or by "
                + $"'Polyjuice:Logs:{used}:ProviderType' in the configuration, or set {Option} to a name that was "
                + "added.");
        }

        // Most likely misspelt: nobody has chosen among several.
        if (used != Default || added?.Names.FirstOrDefault(name => name != Default) is not { } unused) return;
        throw new OrleansConfigurationException(
            $"Logs named '{unused}' were added to the silo, and nothing uses them: transactions use the logs named "
            + $"'{used}'. Added: {added.Text}. Name them '{Default}' (AddFileLogAsDefault(…), or "
            + $"'Polyjuice:Logs:{Default}' in the configuration), choose them by {Option} = \"{unused}\", or leave "
            + "them out.");
    }

    private void ValidateRegistrations()
    {
        var orleans = typeof(ITransactionAgent).Assembly;
        if (services.GetService<ITransactionAgent>()?.GetType().Assembly == orleans
            || services.GetService<ITransactionalStateFactory>()?.GetType().Assembly == orleans)
        {
            throw new OrleansConfigurationException(
                "UseTransactions() was called after UsePolyjuice(), and put Orleans' own transactions back in "
                + "its place. Leave it out: UsePolyjuice() brings all that it would.");
        }

        if (services.GetService<PolyjuiceUse>() is not { } use) return;
        if (use.IsBesideOrleans)
        {
            throw new OrleansConfigurationException(
                "UseTransactions() was called before UsePolyjuice(). Leave it out: UsePolyjuice() brings all "
                + "that it would.");
        }

        if (use.Times > 1)
            HostLog.UsedTwice(loggers.CreateLogger("Polyjuice.Orleans"), use.Times);
    }

    private void ValidateGroups()
    {
        var rules = services.GetRequiredService<IGroupRules>();
        foreach (var grainClass in grains.Value.Classes)
        {
            if (rules.Of(grainClass) is null || PartitionPlacementResolver.IsTransactional(grainClass)) continue;
            throw GroupRule.Bad(
                grainClass,
                "it has no transactional state, and so no log partition: take [TransactionGroup] off it, or give "
                + "it a state");
        }
    }

    private void ValidateDeclaredAccesses()
    {
        var catalogue = new GrainCatalogue(grains, services);
        var interfaces = grains.Value.Classes.SelectMany(grainClass => grainClass.GetInterfaces())
            .Where(type => type.IsAssignableTo(typeof(IAddressable))).Distinct();
        foreach (var method in interfaces.SelectMany(type => type.GetMethods()))
        {
            try
            {
                DeclaredAccesses.Of(method, catalogue);
            }
            catch (InvalidOperationException exception)
            {
                throw new OrleansConfigurationException(exception.Message, exception);
            }
        }
    }

    private void ValidateStorages(Type grainClass)
    {
        foreach (var (state, storage) in PartitionPlacementResolver.StoragesOf(grainClass))
        {
            if (_storages.WhyForgotten(state, storage, grainClass) is { } reason)
                throw new OrleansConfigurationException(reason);
            var choice = _storages.ChoiceFor(storage);
            if (choice == StateStorage.Log || _storages.IsRegistered(storage)) continue;
            if (choice == StateStorage.Provider)
            {
                throw new OrleansConfigurationException(
                    $"State '{state}' of grain class {grainClass} is to be kept with "
                    + $"{(string.IsNullOrEmpty(storage) ? "the default storage provider" : $"the storage provider '{storage}'")}, and the silo has none: add an IGrainStorage or ITransactionalStateStorageFactory of that name, or keep these states in the log ({nameof(PolyjuiceOptions)}.{nameof(PolyjuiceOptions.StateStorageOf)}[\"{storage}\"] = {nameof(StateStorage)}.{nameof(StateStorage.Log)}).");
            }

            if (!string.IsNullOrEmpty(storage) && _missing.Add(storage))
                HostLog.NoProvider(loggers.CreateLogger("Polyjuice.Orleans"), storage);
        }
    }

    private void Validate(Type grainClass)
    {
        foreach (var placement in grainClass.GetCustomAttributes<PlacementAttribute>(inherit: true))
        {
            if (placement is StatelessWorkerAttribute)
            {
                throw new OrleansConfigurationException(
                    $"Grain class {grainClass} is a [StatelessWorker] with a transactional state. A stateless worker "
                    + "can start transactions, but a state has one grain.");
            }

            HostLog.PlacementIgnored(
                loggers.CreateLogger("Polyjuice.Orleans"),
                grainClass.FullName ?? grainClass.Name,
                placement.GetType().Name);
        }

        foreach (var filter in grainClass.GetCustomAttributes<PlacementFilterAttribute>(inherit: true))
            HostLog.PlacementIgnored(
                loggers.CreateLogger("Polyjuice.Orleans"), grainClass.FullName ?? grainClass.Name,
                filter.GetType().Name);

        foreach (var state in PartitionPlacementResolver.StatesOf(grainClass))
        {
            if (state.ContainsGenericParameters || codecs.TryGetCodec(state) is not null) continue;
            throw new OrleansConfigurationException(
                $"Grain class {grainClass} can't have a transactional state of type {state}, because that can't be "
                + "serialised: mark it [GenerateSerializer] and its members [Id(…)].");
        }
    }
}
