using Microsoft.Extensions.DependencyInjection;
using Polyjuice.Embedded.Serialization;
using Polyjuice.Policies;

namespace Polyjuice.Embedded.Core;

/// <summary>What every cluster is made of, checked: the application's grains and the policy in force.</summary>
internal sealed record ClusterParts(GrainTypeMap Types, PolicyStore Policies)
{
    /// <summary>Makes them as the options say.</summary>
    /// <exception cref="Orleans.Runtime.OrleansConfigurationException">An option is out of range, or a grain class can't work.</exception>
    public static ClusterParts Make(EmbeddedClusterOptions options)
    {
        OptionsCheck.Ranges(options);
        OptionsCheck.Ranges(options.Engine);
        TransactionExceptionCodecs.Register(CodecProvider.Shared);
        var assemblies = options.ApplicationAssemblies.Count > 0 ? options.ApplicationAssemblies : [.. ApplicationAssemblies.Find()];
        var types = new GrainTypeMap(assemblies, options.GrainClassFilter);
        OptionsCheck.States(types);
        OptionsCheck.DeclaredAccesses(types, options);
        return new(types, options.PolicyStore ?? new PolicyStore(new SiteRegistry(), options.Policy ?? PolicySource.Load(options.PolicyName)));
    }

    /// <summary>The services of a cluster that is not part of a host.</summary>
    public static ServiceProvider BuildServices(EmbeddedClusterOptions options, Action<IServiceCollection>? more = null)
    {
        var services = new ServiceCollection();
        services.AddLogging();
        if (options.LoggerFactory is { } loggers) services.AddSingleton(loggers);
        more?.Invoke(services);
        EmbeddedServices.Add(services);
        options.ConfigureServices?.Invoke(services);
        return services.BuildServiceProvider();
    }
}
