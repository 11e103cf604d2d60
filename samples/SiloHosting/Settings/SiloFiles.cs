using Microsoft.Extensions.Configuration;

namespace SiloHosting.Settings;

/// <summary>The files that a silo reads, and in which order they count.</summary>
public static class SiloFiles
{
    /// <summary>The environment variable that names another folder than <see cref="DefaultFolder"/>.</summary>
    public const string FolderVariable = "SILO_CONFIG";

    /// <summary>Where they are by default. Each part may be missing.</summary>
    public const string DefaultFolder = "/etc/silo";

    /// <summary>In it: options, as JSON.</summary>
    public const string Options = "options/silo.json";

    /// <summary>
    /// In it: a folder with one file for each secret, named by the setting,
    /// with <c>__</c> for a colon: <c>AzureBlobLog__ConnectionString</c>.
    /// </summary>
    public const string Secrets = "secrets";

    /// <summary>In it: policy tables, for <c>Polyjuice:Policy</c> to name.</summary>
    public const string Policies = "policies";

    /// <summary>Adds them; what is added later, such as the environment, counts more.</summary>
    /// <param name="configuration">Where to.</param>
    /// <param name="folder">The folder, or <see langword="null"/> for the default one.</param>
    public static IConfigurationBuilder AddSiloFiles(this IConfigurationBuilder configuration, string? folder)
    {
        folder = Path.GetFullPath(folder ?? DefaultFolder);
        return configuration
            .AddJsonFile(Path.Combine(folder, Options), optional: true, reloadOnChange: false)
            .AddKeyPerFile(Path.Combine(folder, Secrets), optional: true, reloadOnChange: false);
    }
}
