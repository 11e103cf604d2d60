using System.CommandLine;
using Microsoft.Extensions.Hosting;
using Polyjuice.Lab.Tool.Processes;
using static Polyjuice.CommandLine.CommandOptions;

namespace Polyjuice.Lab.Tool.Commands;

/// <summary><c>polyjuice-lab silo</c>: one of the processes of <see cref="KillCommand"/>.</summary>
internal static class SiloCommand
{
    /// <summary>What it is called.</summary>
    public const string Name = "silo";

    private const int PortsMax = 65_535;

    /// <summary>The command.</summary>
    public static Command Create()
    {
        var cluster = new Option<string>("--cluster") { Required = true };
        var siloPort = new Option<string>("--silo-port") { Required = true };
        var gatewayPort = new Option<string>("--gateway-port") { Required = true };
        var engine = Text("--engine", "polyjuice", "Who runs transactions.");
        var partitions = Text("--partitions", "6", "Log partitions.");
        var seed = Text("--seed", "1", "Of its tables.");
        var shift = Text("--clock-shift", "0", "Milliseconds.");
        var response = Text("--response-timeout", "5", "Seconds.");
        var folder = Optional("--folder", "Logs in files.");
        var command = new Command(
            Name, $"A silo of '{KillCommand.Name}', which starts and kills such processes. It ends with its input.")
        {
            cluster, siloPort, gatewayPort, engine, partitions, seed, shift, response, folder,
        };
        command.Hidden = true;
        command.SetAction(async (parsed, cancellationToken) =>
        {
            var setting = new SiloSetting
            {
                Cluster = parsed.GetValue(cluster)!,
                SiloPort = parsed.Whole(siloPort, 1, PortsMax),
                GatewayPort = parsed.Whole(gatewayPort, 1, PortsMax),
                Engine = KillCommand.EngineOf(parsed.GetValue(engine)!, engine.Name),
                Partitions = parsed.Whole(partitions, 1, 1_024),
                Seed = parsed.Whole(seed, int.MinValue, int.MaxValue),
                ClockShift = TimeSpan.FromMilliseconds(parsed.Number(shift, -60_000, 60_000)),
                ResponseTimeout = TimeSpan.FromSeconds(parsed.Number(response, 0.1, 600)),
                Folder = parsed.GetValue(folder),
            };
            var storage = Environment.GetEnvironmentVariable(SiloSetting.StorageVariable)
                ?? throw new CommandInputException($"{SiloSetting.StorageVariable} is not set.");
            using var host = ProcessCluster.Silo(setting, storage);
            await host.StartAsync(cancellationToken);
            await Console.Out.WriteLineAsync(SiloSetting.Ready);

            // Whoever has started it may be killed, too.
            _ = Task.Run(() =>
            {
                while (Console.In.Read() >= 0)
                {
                }

                Environment.Exit(0);
            });
            await host.WaitForShutdownAsync(cancellationToken);
            return ExitCodes.Done;
        });
        return command;
    }
}
