using Microsoft.Extensions.DependencyInjection;
using Orleans.Configuration;
using Polyjuice.Tracing;

namespace Orleans.Hosting;

// Where silos write traces (docs/reference/traces.md).
public static partial class PolyjuiceSiloBuilderExtensions
{
    /// <summary>
    /// Has the silo record traces from its start on, into files of its own in a folder; <see cref="PolyjuiceOptions"/>
    /// say how (<see cref="PolyjuiceOptions.Trace"/>). The files are readable by their owner alone (not on Windows). A
    /// folder that can't be written fails no transaction: the log says so, and nothing is recorded. Of several places,
    /// the one that the code named last counts; one of the configuration, if the code names none.
    /// </summary>
    /// <param name="builder">The silo.</param>
    /// <param name="folder">The folder; made if it is not there. Silos may share it.</param>
    /// <exception cref="ArgumentException"><paramref name="folder"/> is empty.</exception>
    public static ISiloBuilder AddFileTraces(this ISiloBuilder builder, string folder)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(folder);
        return builder.AddTraces(_ => new FileTraceSink(folder));
    }

    /// <summary>Has the silo record traces somewhere else.</summary>
    /// <param name="builder">The silo.</param>
    /// <param name="sink">Makes the place.</param>
    internal static ISiloBuilder AddTraces(this ISiloBuilder builder, Func<IServiceProvider, ITraceSink> sink)
    {
        ArgumentNullException.ThrowIfNull(builder);
        builder.Services.AddOptions<PolyjuiceOptions>().Configure<IServiceProvider>(
            (options, services) => options.TraceSink = sink(services));
        return builder;
    }

    /// <summary>The same for a place that the configuration names: the code's goes before it.</summary>
    /// <param name="builder">The silo.</param>
    /// <param name="sink">Makes the place.</param>
    internal static ISiloBuilder AddConfiguredTraces(
        this ISiloBuilder builder, Func<IServiceProvider, ITraceSink> sink)
    {
        builder.Services.AddOptions<PolyjuiceOptions>().Configure<IServiceProvider>(
            (options, services) => options.TraceSink ??= sink(services));
        return builder;
    }
}
