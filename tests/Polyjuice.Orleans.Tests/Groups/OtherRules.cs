using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Orleans;
using Orleans.Hosting;
using Polyjuice.Orleans.Groups;

namespace Polyjuice.Orleans.Tests.Groups;

/// <summary>Another version of the application, in which some grain classes declare what other types do.</summary>
internal sealed class OtherRules : IGroupRules
{
    private readonly Dictionary<Type, Type> _as = [];

    /// <summary>Has one class declare what another type does.</summary>
    public OtherRules With<TGrain, TDeclaring>()
    {
        _as[typeof(TGrain)] = typeof(TDeclaring);
        return this;
    }

    /// <inheritdoc/>
    public GroupRule? Of(Type grainClass) => GroupRule.Of(_as.GetValueOrDefault(grainClass, grainClass));

    /// <summary>Has a silo go by them.</summary>
    public void Use(ISiloBuilder silo) => silo.Services.Replace(ServiceDescriptor.Singleton<IGroupRules>(this));

    /// <summary>Declares nothing.</summary>
    internal abstract class Nothing : IGrainWithIntegerKey;

    [TransactionGroup("depot", DividedBy = 10)]
    internal abstract class ByTen : IGrainWithIntegerKey;
}
