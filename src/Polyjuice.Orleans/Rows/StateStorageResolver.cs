using System.Collections.Concurrent;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;
using Orleans.Configuration;
using Orleans.Storage;
using Orleans.Transactions.Abstractions;
using Polyjuice.Orleans.Silos;
using Polyjuice.Storage;

namespace Polyjuice.Orleans.Rows;

/// <summary>
/// Decides which states are kept with storage providers, and finds these as Orleans' own engine does. Thread-safe.
/// </summary>
internal sealed class StateStorageResolver(IOptions<PolyjuiceOptions> options, IServiceProvider services)
{
    /// <summary>
    /// The storage's name of states of this package's own grains: they are in the log whatever the options say.
    /// </summary>
    public const string LogAlways = "polyjuice.log";

    // By its name: it is in a package that Orleans' servers have, and this one does not need.
    private const string OrleansMemory = "Orleans.Storage.MemoryGrainStorage";

    private readonly ConcurrentDictionary<string, bool> _isInProvider = new(StringComparer.Ordinal);
    private readonly PolyjuiceOptions _options = options.Value;
    private readonly ConcurrentDictionary<string, bool> _isForgotten = new(StringComparer.Ordinal);
    private readonly ConcurrentDictionary<string, bool> _mayHideRows = new(StringComparer.Ordinal);

    /// <summary>Whether states of a storage's name are kept in rows of a provider.</summary>
    /// <param name="storageName">As the state's attribute has it; none or empty for the default one.</param>
    public bool IsInProvider(string? storageName) => _isInProvider.GetOrAdd(storageName ?? "", Decide, this);

    /// <summary>
    /// Whether states of a storage's name are kept in the log, and
    /// must be looked for in rows before they begin anew there.
    /// </summary>
    /// <param name="storageName">As for <see cref="IsInProvider"/>.</param>
    public bool MayHideRows(string? storageName) => _mayHideRows.GetOrAdd(
        storageName ?? "",
        static (name, self) => self._options.LooksForHiddenRows && !self.IsInProvider(name) && self.IsRegistered(name),
        this);

    /// <summary>
    /// Where states of a storage's name are kept, in words that are the same in two silos if the places are.
    /// </summary>
    public string PlaceOf(string? storageName) => !IsInProvider(storageName) ? "log"
        : Has<ITransactionalStateStorageFactory>(storageName) ? $"transactional state storage '{storageName}'"
        : $"grain storage '{storageName}'";

    /// <summary>What the options say about states of a storage's name.</summary>
    public StateStorage ChoiceFor(string? storageName) =>
        storageName == LogAlways ? StateStorage.Log
        : _options.StateStorageOf.TryGetValue(storageName ?? "", out var choice) ? choice
        : _options.StateStorage;

    /// <summary>
    /// Whether states of some of these grain classes are kept with providers, while the silo has no logs but those in
    /// its memory, which nobody has asked for: what is in the logs would be forgotten, and those states stay.
    /// </summary>
    public bool LacksLogsBeside(IEnumerable<Type> grainClasses) =>
        services.GetKeyedService<ILogStoreProvider>(_options.LogProvider) is null
        && grainClasses.SelectMany(PartitionPlacementResolver.StoragesOf).Any(state => IsInProvider(state.Storage));

    /// <summary>
    /// Why a state must not be kept where it would be: with Orleans' storage in memory, which forgets it when a silo
    /// ends, while the silo has logs that remember, and nobody has said that it is to be so. <see langword="null"/> if
    /// it may. Makes the providers, so not to be called while the silo's manifest is made.
    /// </summary>
    /// <param name="state">The state's name.</param>
    /// <param name="storageName">As for <see cref="IsInProvider"/>.</param>
    /// <param name="grainClass">Whose state it is, if that is known.</param>
    public string? WhyForgotten(string state, string? storageName, Type? grainClass)
    {
        if (!_isForgotten.GetOrAdd(storageName ?? "", static (name, self) => self.IsForgotten(name), this)) return null;
        const string Options = nameof(PolyjuiceOptions);
        const string Of = $"{Options}.{nameof(PolyjuiceOptions.StateStorageOf)}";
        var provider = string.IsNullOrEmpty(storageName)
            ? "the silo's default storage provider"
            : $"the storage provider '{storageName}'";
        return $"State '{state}' of grain class {grainClass?.FullName ?? "(unknown)"} would be kept with {provider}, "
            + "which is Orleans' MemoryGrainStorage: it would be lost when a silo ends, although the silo has the log "
            + $"'{_options.LogProvider}', which outlives it. To keep it in the log, set {Options}."
            + $"{nameof(PolyjuiceOptions.StateStorage)} = {nameof(StateStorage)}.{nameof(StateStorage.Log)} (or "
            + $"{Of}[\"{storageName}\"], for this provider alone; in the configuration 'Polyjuice:"
            + $"{nameof(PolyjuiceOptions.StateStorage)}'). If it is to be in memory, say there "
            + $"{nameof(StateStorage)}.{nameof(StateStorage.Provider)}.";
    }

    /// <summary>Whether there is a provider of the name.</summary>
    public bool IsRegistered(string? storageName) =>
        Has<ITransactionalStateStorageFactory>(storageName) || Has<IGrainStorage>(storageName);

    // Asked for as such and not made: this is needed while the
    // silo's manifest is made, which a provider may need itself.
    private bool Has<TService>(string? name) where TService : class => string.IsNullOrEmpty(name)
        ? services.GetService<IServiceProviderIsService>()?.IsService(typeof(TService))
            ?? services.GetService<TService>() is not null
        : services.GetService<IServiceProviderIsKeyedService>()?.IsKeyedService(typeof(TService), name)
            ?? services.GetKeyedService<TService>(name) is not null;

    private bool IsForgotten(string storageName) =>
        ChoiceFor(storageName) == StateStorage.Registered
        && !Has<ITransactionalStateStorageFactory>(storageName)
        && Has<IGrainStorage>(storageName)
        && services.GetKeyedService<ILogStoreProvider>(_options.LogProvider) is not (null or IMemoryLogProvider)
        && (storageName.Length == 0
            ? services.GetService<IGrainStorage>()
            : services.GetKeyedService<IGrainStorage>(storageName))?.GetType().FullName == OrleansMemory;

    private static bool Decide(string storageName, StateStorageResolver self) => self.ChoiceFor(storageName) switch
    {
        StateStorage.Log => false,
        StateStorage.Provider => true,
        _ => self.IsRegistered(storageName),
    };
}
