using Microsoft.Extensions.DependencyInjection;
using Orleans;
using Orleans.Runtime;

namespace Polyjuice.Orleans.Calls;

/// <summary>Whether Orleans sends a grain's calls through filters of the application. Thread-safe.</summary>
internal sealed class IncomingFilters(IServiceProvider services)
{
    // Filters may need what needs this.
    private readonly Lazy<bool> _areForAll = new(() => services.GetServices<IIncomingGrainCallFilter>().Any());

    /// <summary>Whether there are any around a call of this grain.</summary>
    public bool AreAround(IGrainContext grain) => _areForAll.Value || grain.GrainInstance is IIncomingGrainCallFilter;
}
