using System.CommandLine;
using System.ComponentModel.DataAnnotations;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Polyjuice.Cli.Training.Trainer;
using Polyjuice.Diagnostics;
using Polyjuice.LiveView;
using Polyjuice.Policies;
using Polyjuice.Training.Service;

namespace Polyjuice.Cli.Commands;

/// <summary><c>polyjuice trainer run</c></summary>
internal static class TrainerRunCommand
{
    /// <summary>
    /// A search that is ended is judged, which takes some seconds; less than the command itself may take.
    /// </summary>
    private static readonly TimeSpan _endingMax = TimeSpan.FromSeconds(55);

    /// <summary>The command.</summary>
    public static Command Create()
    {
        var trainer = new TrainerRunOptions();
        var once = new Option<bool>("--once") { Description = "Looks once, trains if it is due, and ends." };
        var health = new Option<string?>("--health-port")
        {
            Description = $"Answers {TrainerHealth.Live} and {TrainerHealth.Status} on this port.", HelpName = "port"
        };
        var view = new Option<string?>("--view")
        {
            Description =
                "Serves a page on this machine that shows the searches' curves, what was decided, and what was "
                + $"published. Default port: {LiveViewServerOptions.DefaultPort}.",
            HelpName = "port", Arity = ArgumentArity.ZeroOrOne,
        };
        var verbose = new Option<bool>("--verbose") { Description = "Says how far searches are." };
        var command = new Command(
            "run",
            "Follows the traces that silos write, and publishes a table when the forecast of their conflict rate has "
            + "changed enough and a better one was found. Until Ctrl-C; it goes on where it was when it is run again.");
        trainer.AddTo(command);
        foreach (Option option in (Option[])[once, health, view, verbose]) command.Add(option);
        command.SetAction((parsed, cancellationToken) => RunAsync(
            trainer.Read(parsed), parsed.GetValue(once), parsed.WholeOrNone(health, 1, 65_535),
            parsed.GetResult(view) is null
                ? null
                : parsed.WholeOrNone(view, 0, 65_535) ?? LiveViewServerOptions.DefaultPort,
            parsed.GetValue(verbose), parsed.InvocationConfiguration.Output, cancellationToken));
        return command;
    }

    private static async Task<int> RunAsync(
        TrainerSetup setup, bool once, int? port, int? page, bool verbose, TextWriter output,
        CancellationToken cancellationToken)
    {
        var builder = Host.CreateApplicationBuilder(new HostApplicationBuilderSettings { DisableDefaults = true });
        builder.Logging.AddProvider(new WriterLoggerProvider(output, TimeProvider.System))
            .AddFilter("Microsoft", LogLevel.Warning).SetMinimumLevel(verbose ? LogLevel.Debug : LogLevel.Information);
        builder.Services.AddSingleton<IHostLifetime, CommandLifetime>()
            .Configure<HostOptions>(options => options.ShutdownTimeout = _endingMax);
        var training = setup.TrainingOf?.Invoke(verbose ? output : TextWriter.Null);
        builder.Services.AddSingleton(services => new TrainerService(
            setup.Options,
            setup.Traces,
            setup.Repository,
            TimeProvider.System,
            services.GetRequiredService<ILogger<TrainerService>>(),
            training));
        if (port is { } listening)
            builder.Services.AddHostedService(
                services => new TrainerHealth(
                    services.GetRequiredService<TrainerService>(),
                    listening,
                    10 * setup.Options.PollInterval + TimeSpan.FromMinutes(1),
                    TimeProvider.System));
        if (page is { } shown) AddView(builder.Services, setup, shown);
        if (!once) builder.Services.AddHostedService(services => services.GetRequiredService<TrainerService>());
        using var host = builder.Build();
        var service = Open(host);
        if (once)
        {
            try
            {
                await service.LookAsync(cancellationToken);
            }
            catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
            {
                // What was done is kept.
            }

            return cancellationToken.IsCancellationRequested ? ExitCodes.Cancelled : ExitCodes.Done;
        }

        if (host.Services.GetService<LiveViewServer>() is { } server)
            host.Services.GetRequiredService<IHostApplicationLifetime>().ApplicationStarted
                .Register(() => output.WriteLine($"The live view: {server.Address}"));
        await host.RunAsync(cancellationToken);

        // A host whose service has failed ends as if it had been told to.
        if (service.ExecuteTask is { IsFaulted: true } failed) await failed;
        return ExitCodes.Done;
    }

    /// <summary>The page is of what is published and of the training: no engine runs here.</summary>
    private static void AddView(IServiceCollection services, TrainerSetup setup, int port)
    {
        services.AddSingleton(new PolicyStore(new SiteRegistry(), BuiltinPolicies.Get("occ")))
            .AddSingleton(setup.Repository);
        services.AddSingleton<ITrainingStatus, TrainerTrainingStatus>();
        services.AddPolyjuiceLiveView(static options => options.Title = "Polyjuice trainer")
            .AddPolyjuiceLiveViewServer(options => options.Port = port);
    }

    private static TrainerService Open(IHost host)
    {
        try
        {
            return host.Services.GetRequiredService<TrainerService>();
        }
        catch (Exception exception) when (exception is ValidationException or InvalidDataException)
        {
            throw new CommandInputException(exception.Message);
        }
    }
}
