using System.Reflection;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Orleans;
using Orleans.Configuration;
using Orleans.Hosting;
using Orleans.Providers;
using Orleans.Runtime;
using Orleans.Serialization.Internal;
using Polyjuice.Contracts;
using Polyjuice.Tracing;

namespace Polyjuice.Orleans.Hosting.Configuration;

/// <summary>
/// What the section <c>Polyjuice</c> of a silo's configuration says: options, logs, where traces are recorded, and
/// where policies are published. What the application's code says goes before it. A key that nothing reads is refused,
/// because it is most likely misspelt.
/// </summary>
internal static class PolyjuiceConfiguration
{
    /// <summary>The section.</summary>
    public const string Section = "Polyjuice";

    /// <summary>The key of the health checks' options, which are read where those are added.</summary>
    public const string Health = nameof(Health);

    /// <summary>The key of a provider's name, in its section.</summary>
    public const string ProviderType = nameof(ProviderType);

    // What has a package of its own, Polyjuice.Storage.NAME.
    private static readonly string[] s_packages = ["AzureBlobs", "PostgreSql", "Redis"];

    private const string Logs = nameof(Logs);
    private const string PolicyStore = nameof(PolicyStore);
    private const string Traces = nameof(Traces);

    // Read where a trainer is added to the silo, and the live view to its host.
    private const string Trainer = nameof(Trainer);
    private const string LiveView = nameof(LiveView);

    /// <summary>Applies it, if there is one.</summary>
    /// <param name="builder">The silo.</param>
    /// <exception cref="OrleansConfigurationException">A key or a provider's name is not known.</exception>
    public static void Apply(ISiloBuilder builder)
    {
        var section = builder.Configuration.GetSection(Section);
        if (!section.Exists()) return;
        CheckNames(section, typeof(PolyjuiceOptions), Logs, PolicyStore, Traces, Trainer, LiveView, Health);
        CheckNames(section.GetSection(nameof(PolyjuiceOptions.Engine)), typeof(EngineOptions));
        CheckNames(section.GetSection(nameof(PolyjuiceOptions.Trace)), typeof(TraceRecorderOptions));
        CheckNames(section.GetSection(nameof(PolyjuiceOptions.Outbox)), typeof(OutboxOptions));
        builder.Services.AddOptions<PolyjuiceOptions>().Bind(section);
        foreach (var logs in section.GetSection(Logs).GetChildren())
            ProviderOf(logs, PolyjuiceProviders.Logs).Configure(builder, logs.Key, logs);
        One(PolicyStore, PolyjuiceProviders.PolicyStore);
        One(Traces, PolyjuiceProviders.Traces);

        void One(string key, string kind)
        {
            if (section.GetSection(key) is { } one && one.Exists()) ProviderOf(one, kind).Configure(builder, null, one);
        }
    }

    /// <summary>Refuses keys that are no options, and values of options that can't be read.</summary>
    /// <param name="section">The section.</param>
    /// <param name="options">The options' type.</param>
    /// <param name="others">What else may be there.</param>
    /// <exception cref="OrleansConfigurationException">There is such a key or value.</exception>
    public static void CheckNames(IConfigurationSection section, Type options, params ReadOnlySpan<string> others)
    {
        var known = options.GetProperties().Select(property => property.Name).Concat(others.ToArray())
            .ToHashSet(StringComparer.OrdinalIgnoreCase);
        foreach (var key in section.GetChildren())
        {
            if (known.Contains(key.Key)) continue;
            throw new OrleansConfigurationException(OptionText.Unread(key.Path, section.Path, known));
        }

        ConfigurationValues.Check(section, options);
    }

    private static string? PackageOf(string? provider) => s_packages
        .Where(name => name.Equals(provider, StringComparison.OrdinalIgnoreCase))
        .Select(static name => $"Polyjuice.Storage.{name}").FirstOrDefault();

    private static IProviderBuilder<ISiloBuilder> ProviderOf(IConfigurationSection section, string kind)
    {
        var name = section[ProviderType];
        var registered = ReferencedAssemblyProvider.GetRelevantAssemblies()
            .SelectMany(assembly => assembly.GetCustomAttributes<RegisterProviderAttribute>())
            .Where(provider => provider.Kind == kind && provider.Target == PolyjuiceProviders.Target)
            .ToList();
        var found = registered.FirstOrDefault(
            provider => string.Equals(provider.Name, name, StringComparison.OrdinalIgnoreCase));
        if (found is not null) return (IProviderBuilder<ISiloBuilder>)Activator.CreateInstance(found.Type)!;
        throw new OrleansConfigurationException(
            $"'{section.Path}:{ProviderType}' is {(name is null ? "missing" : $"'{name}', and no package that the application "
                + "references has a provider of that name")}. There are: "
            + $"{string.Join(", ", registered.Select(provider => provider.Name).Distinct().Order(StringComparer.Ordinal))}."
            + (PackageOf(name) is { } package ? $" For '{name}', add the package {package} to the project." : ""));
    }
}
