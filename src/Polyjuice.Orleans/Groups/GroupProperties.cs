using Orleans.Metadata;
using Orleans.Runtime;

namespace Polyjuice.Orleans.Groups;

/// <summary>
/// Writes into the cluster's manifest what each class declares of its groups: silos that see it differently would look
/// for a grain's states in different logs.
/// </summary>
internal sealed class GroupProperties(IGroupRules rules) : IGrainPropertiesProvider
{
    /// <summary>The grain property.</summary>
    public const string Property = "polyjuice.group";

    /// <inheritdoc/>
    public void Populate(Type grainClass, GrainType grainType, Dictionary<string, string> properties)
    {
        try
        {
            if (rules.Of(grainClass) is { } rule) properties[Property] = rule.Declaration;
        }
        catch (OrleansConfigurationException)
        {
            // Said where the silo's configuration is validated, after its manifest is made.
        }
    }

    /// <summary>What a class declares, by its properties; empty for nothing.</summary>
    public static string Of(GrainProperties properties) => properties.Properties.GetValueOrDefault(Property) ?? "";
}
