using System.Globalization;
using Microsoft.Extensions.Options;
using Orleans.Configuration;
using Orleans.Metadata;
using Orleans.Runtime;

namespace Polyjuice.Orleans.Silos;

/// <summary>
/// How many engines a silo has, as it says so itself: a property of its grain classes with transactional states, of
/// which every silo has one. A silo of a version that had one engine says nothing. Thread-safe.
/// </summary>
internal sealed class EngineCount(IOptions<PolyjuiceOptions> options) : IGrainPropertiesProvider
{
    /// <summary>The property's name.</summary>
    public const string Property = "polyjuice.engines";

    /// <inheritdoc/>
    public void Populate(Type grainClass, GrainType grainType, Dictionary<string, string> properties)
    {
        if (PartitionPlacementResolver.IsTransactional(grainClass))
            properties[Property] = options.Value.EnginesPerSilo.ToString(CultureInfo.InvariantCulture);
    }

    /// <summary>A silo's number of engines; 1 if it does not say.</summary>
    public static int Of(GrainManifest manifest) => Find(manifest) ?? 1;

    /// <summary>The same; nothing if it does not say.</summary>
    public static int? Find(GrainManifest manifest)
    {
        foreach (var (_, grain) in manifest.Grains)
        {
            if (grain.Properties.TryGetValue(Property, out var text)
                && int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var count)
                && count is >= 1 and <= NodeIds.EnginesMax)
                return count;
        }

        return null;
    }
}
