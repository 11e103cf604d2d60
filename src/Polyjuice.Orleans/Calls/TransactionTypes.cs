using System.Collections.Frozen;
using System.Reflection;
using Microsoft.Extensions.Options;
using Orleans;
using Orleans.Configuration;
using Orleans.Metadata;
using Orleans.Runtime;
using Polyjuice.Orleans.Transactions;
using Polyjuice.Policies;

namespace Polyjuice.Orleans.Calls;

/// <summary>
/// Transactions are started by methods of grain interfaces, whose <c>[Transaction]</c> option says so, and by clients:
/// those have one type for all (<see cref="TransactionClient.Unnamed"/>). Of an interface that only other silos have,
/// the methods are not known here, so it is taken to have them. What has run already is known, whatever it is.
/// </summary>
internal sealed class TransactionTypes : ITransactionTypes
{
    private readonly FrozenSet<string> _interfaces;
    private readonly FrozenSet<string> _methods;
    private readonly IClusterManifestProvider _manifests;
    private readonly PolicyStore _policies;

    public TransactionTypes(IOptions<GrainTypeOptions> grains, IClusterManifestProvider manifests, PolicyStore policies)
    {
        _manifests = manifests;
        _policies = policies;
        var interfaces = grains.Value.Classes.SelectMany(static grainClass => grainClass.GetInterfaces())
            .Concat(grains.Value.Interfaces.SelectMany(static type => type.GetInterfaces().Append(type)))
            .Where(static type => type.IsAssignableTo(typeof(IAddressable)))
            .Select(static type => type.IsGenericType ? type.GetGenericTypeDefinition() : type)
            .Distinct().ToList();
        _interfaces = interfaces.Select(static type => WithoutArguments(type.Name)).ToFrozenSet(StringComparer.Ordinal);
        _methods = interfaces.SelectMany(static type => type.GetMethods()).Where(Starts)
            .Select(static method => $"{WithoutArguments(method.DeclaringType!.Name)}.{method.Name}")
            .Append(TransactionClient.Unnamed).ToFrozenSet(StringComparer.Ordinal);
    }

    /// <inheritdoc/>
    /// <remarks>Generic interfaces without their arguments.</remarks>
    public IReadOnlyCollection<string> Names => _methods;

    /// <inheritdoc/>
    public bool Has(string type)
    {
        ArgumentNullException.ThrowIfNull(type);
        if (_policies.Registry.Types.Contains(type, StringComparer.Ordinal)) return true;
        var dot = type.LastIndexOf('.');
        if (dot < 0) return _methods.Contains(type);
        var name = WithoutArguments(type[..dot]);
        return _interfaces.Contains(name) ? _methods.Contains(name + type[dot..]) : IsElsewhere(name);
    }

    private bool IsElsewhere(string name) => _manifests.Current.Silos.Values
        .SelectMany(static silo => silo.Interfaces.Values)
        .Any(known => known.Properties.TryGetValue(WellKnownGrainInterfaceProperties.TypeName, out var other)
            && WithoutArguments(other) == name);

    private static bool Starts(MethodInfo method) =>
        method.GetCustomAttribute<TransactionAttribute>()?.Requirement is TransactionOption.Create
            or TransactionOption.CreateOrJoin;

    // As types write them, and as their arguments are counted.
    private static string WithoutArguments(string name) => name.Split('`', '[')[0];
}
