using Microsoft.Extensions.Configuration;

namespace SiloHosting.Settings;

/// <summary>What is called as the application is, unless settings say otherwise.</summary>
public static class ApplicationNames
{
    /// <summary>Adds them; whatever is added later counts more.</summary>
    /// <param name="configuration">Where to.</param>
    /// <param name="application">Whose.</param>
    public static IConfigurationBuilder AddNamesOf(
        this IConfigurationBuilder configuration, SiloApplication application)
    {
        ArgumentNullException.ThrowIfNull(application);
        return configuration.AddInMemoryCollection(new Dictionary<string, string?>
        {
            [$"{SiloSettings.Section}:{nameof(SiloSettings.ClusterId)}"] = application.Name,
            [$"{SiloSettings.Section}:{nameof(SiloSettings.ServiceId)}"] = application.Name,
            [$"{SiloSettings.AzureBlobLogSection}:ContainerName"] = application.Name,
        });
    }
}
