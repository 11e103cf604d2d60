using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Orleans.Configuration;
using Orleans.Hosting;
using Orleans.Runtime;
using Polyjuice.Policies;
using SiloHosting.Clustering;
using SiloHosting.Health;
using SiloHosting.Policies;
using SiloHosting.Settings;
using SiloHosting.Telemetry;
using SiloHosting.Tracing;
using SiloHosting.Training;

namespace SiloHosting;

/// <summary>The program of a silo.</summary>
public static partial class SiloProgram
{
    /// <summary>
    /// Runs the silo until SIGTERM or Ctrl-C: then it is not ready any more, hands its partitions over, and ends.
    /// </summary>
    /// <param name="args">The command line.</param>
    /// <param name="application">What it serves.</param>
    /// <returns>The exit code: 0, or 2 if it can't run with its settings; standard error says why.</returns>
    public static async Task<int> RunAsync(string[] args, SiloApplication application)
    {
        try
        {
            using var host = Build(args, application);
            await host.RunAsync();
            return 0;
        }
        catch (OperationCanceledException)
        {
            // Told to stop before it had started.
            return 0;
        }
        catch (Exception exception) when (exception
            is OptionsValidationException or OrleansConfigurationException or PolicyFormatException or IOException)
        {
            await Console.Error.WriteLineAsync(exception.Message);
            return 2;
        }
    }

    /// <summary>Makes the host from files, the environment and the command line, which count in this order.</summary>
    /// <param name="args">The command line.</param>
    /// <param name="application">What it serves.</param>
    /// <exception cref="OptionsValidationException">A setting is out of its bounds; the message names it.</exception>
    public static IHost Build(string[] args, SiloApplication application)
    {
        ArgumentNullException.ThrowIfNull(application);
        var builder = Host.CreateApplicationBuilder(new HostApplicationBuilderSettings { DisableDefaults = true });
        builder.Configuration
            .AddNamesOf(application)
            .AddSiloFiles(Environment.GetEnvironmentVariable(SiloFiles.FolderVariable))
            .AddEnvironmentVariables()
            .AddCommandLine(args);
        builder.Logging.AddFilter("Microsoft.AspNetCore", LogLevel.Warning);
        builder.Logging
            .AddConfiguration(builder.Configuration.GetSection("Logging"))
            .AddSimpleConsole(console => console.SingleLine = true);

        var services = builder.Services;
        services.AddOptions<SiloSettings>()
            .BindConfiguration(SiloSettings.Section).ValidateDataAnnotations().ValidateOnStart();
        var settings = Read<SiloSettings>(builder.Configuration, SiloSettings.Section);
        var trainer = Read<TrainerSettings>(builder.Configuration, TrainerSettings.Section);
        SettingsCheck.Validate(settings, trainer);

        services.Configure<HostOptions>(options => options.ShutdownTimeout = settings.DrainTimeout);
        services.AddSingleton(application);
        services.AddSingleton(trainer);
        services.AddSiloHealth();
        services.AddSingleton<WorkGate>();
        services.AddSingleton<PrometheusMetrics>();
        services.AddPolyjuiceLiveView(
            view => view.Title = $"{application.Name}: {settings.Name ?? Environment.MachineName}");
        services.AddHostedService<WebServer>();
        services.AddHostedService<OtlpExport>();
        builder.UseOrleans(silo => silo
            .UseClustering(settings)
            .AddLogs(settings)
            .UsePolyjuice(
                (OptionsBuilder<PolyjuiceOptions> options) => options.BindConfiguration(SiloSettings.PolyjuiceSection))
            .FollowPolicies(settings)
            .AddTraces(settings)
            .TrainTables(trainer));
        var host = builder.Build();
        SayUnknown(host);
        return host;
    }

    private static TSettings Read<TSettings>(IConfiguration configuration, string section) where TSettings : new()
    {
        try
        {
            return configuration.GetSection(section).Get<TSettings>() ?? new();
        }
        catch (InvalidOperationException exception)
        {
            // It names the setting and its value; what is within says what is wrong with the value.
            throw new OptionsValidationException(
                section, typeof(TSettings), [$"{exception.Message} {exception.InnerException?.Message}"]);
        }
    }

    private static void SayUnknown(IHost host)
    {
        var unknown = UnknownSettings.Of(host.Services.GetRequiredService<IConfiguration>()).ToList();
        if (unknown.Count == 0) return;
        NotRead(
            host.Services.GetRequiredService<ILoggerFactory>().CreateLogger("SiloHosting"), string.Join(", ", unknown));
    }

    [LoggerMessage(
        1, LogLevel.Warning,
        "These settings are not known, and nothing reads them: {Settings}. Look for typing mistakes.")]
    private static partial void NotRead(ILogger logger, string settings);
}
