using System.Diagnostics.Metrics;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Polyjuice.Orleans.Hosting;
using Polyjuice.Policies;
using Polyjuice.Publishing;
using Polyjuice.Publishing.Following;

namespace Orleans.Hosting;

// Where silos follow what is published (docs/operate/publishing.md).
public static partial class PolyjuiceSiloBuilderExtensions
{
    /// <summary>
    /// Follows the policies that are published in a folder: the one in force there takes the place of the one that the
    /// silo was started with, and each that comes is put in force, watched, and taken back if it is worse. Between
    /// machines the folder must be on a file system that they share. The log says what becomes of each release.
    /// </summary>
    /// <param name="builder">The silo.</param>
    /// <param name="folder">Where 'polyjuice policy publish --store' puts them. It may not be there yet.</param>
    /// <param name="configure">Sets the options.</param>
    /// <exception cref="ArgumentException"><paramref name="folder"/> is empty.</exception>
    /// <exception cref="InvalidOperationException">The silo follows a place already.</exception>
    public static ISiloBuilder AddFilePolicyStore(
        this ISiloBuilder builder, string folder, Action<PublishedPoliciesOptions>? configure = null)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(folder);
        return builder.AddPolicyStore(_ => new FilePolicyEntries(folder), configure);
    }

    /// <summary>Follows the policies that are published somewhere else. Once for each silo.</summary>
    /// <param name="builder">The silo.</param>
    /// <param name="entries">Makes the place.</param>
    /// <param name="configure">Sets the options.</param>
    /// <exception cref="InvalidOperationException">The silo follows a place already.</exception>
    internal static ISiloBuilder AddPolicyStore(
        this ISiloBuilder builder, Func<IServiceProvider, IPolicyEntries> entries,
        Action<PublishedPoliciesOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(builder);
        ArgumentNullException.ThrowIfNull(entries);
        var services = builder.Services;
        if (services.Has<PolicyFollower>())
            throw new InvalidOperationException(
                "The silo follows published policies of one place already, and two could disagree: leave one out.");
        var options = services.AddOptions<PublishedPoliciesOptions>().ValidateOnStart();
        if (configure is not null) options.Configure(configure);
        services.AddSingleton<
            IValidateOptions<PublishedPoliciesOptions>, OptionRangesValidator<PublishedPoliciesOptions>>();
        services.AddSingleton(entries);
        services.AddSingleton(Make);
        services.AddHostedService<PolicyFollowing>();
        return builder;
    }

    private static PolicyFollower Make(IServiceProvider services)
    {
        var options = services.GetRequiredService<IOptions<PublishedPoliciesOptions>>().Value;
        var time = services.GetService<TimeProvider>() ?? TimeProvider.System;
        var engines = services.GetRequiredService<IFollowedEngines>();
        var repository = new PolicyRepository(
            services.GetRequiredService<IPolicyEntries>(), time, options.Trust, options.Key);
        var logger = services.GetRequiredService<ILoggerFactory>().CreateLogger("Polyjuice.Policies");
        return new PolicyFollower(
            repository, services.GetRequiredService<PolicyStore>(), () => engines.Statistics, options, time, logger,
            engines.Name, () => engines.Notes, services.GetService<IMeterFactory>());
    }
}
