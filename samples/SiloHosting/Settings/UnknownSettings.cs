using System.Collections;
using System.Reflection;
using Microsoft.Extensions.Configuration;
using Orleans.Configuration;
using Polyjuice.Publishing.Following;
using Polyjuice.Storage;

namespace SiloHosting.Settings;

/// <summary>
/// Settings in this silo's sections that nothing reads: mistyped, or of another version. They do not end it, because a
/// rollout, or its end, may give a silo the settings of a newer one.
/// </summary>
public static class UnknownSettings
{
    private const BindingFlags AnyCase = BindingFlags.Public | BindingFlags.Instance | BindingFlags.IgnoreCase;

    private static readonly (string Section, Type[] Options)[] _sections =
    [
        (SiloSettings.Section, [typeof(SiloSettings)]),
        (SiloSettings.PolyjuiceSection, [typeof(PolyjuiceOptions)]),
        (SiloSettings.AzureBlobLogSection, [typeof(AzureBlobLogOptions)]),
        (SiloSettings.FileLogSection, [typeof(FileLogOptions)]),
        (SiloSettings.PoliciesSection, [typeof(PublishedPoliciesOptions)]),
        (TrainerSettings.Section, [typeof(TrainerSettings), typeof(SiloTrainerOptions)]),
    ];

    /// <summary>Their names, such as <c>Polyjuice:Polcy</c>. Values are not shown: one may be a secret.</summary>
    public static IEnumerable<string> Of(IConfiguration configuration)
    {
        ArgumentNullException.ThrowIfNull(configuration);
        return _sections.SelectMany(one => In(configuration.GetSection(one.Section), one.Options));
    }

    private static IEnumerable<string> In(IConfigurationSection section, params Type[] options)
    {
        foreach (var setting in section.GetChildren())
        {
            var property = options.Select(type => type.GetProperty(setting.Key, AnyCase))
                .FirstOrDefault(found => found is not null);
            if (property is null) yield return setting.Path;
            else if (HasSettings(property.PropertyType))
            {
                foreach (var unknown in In(setting, property.PropertyType)) yield return unknown;
            }
        }
    }

    private static bool HasSettings(Type type) =>
        type.IsClass && !type.IsAssignableTo(typeof(IEnumerable)) && type.GetConstructor(Type.EmptyTypes) is not null;
}
