using System.Reflection;
using Polyjuice.Training.Cluster.Commands;

namespace Polyjuice.Training.Cluster;

/// <summary>
/// A trainer project's program: <c>polyjuice train</c> for one application, with the same options and output.
/// </summary>
/// <example>
/// <code>
/// return await TrainerProgram.RunAsync(args, new TrainedApplication
/// {
///     ConfigureSilo = silo => silo.Services.AddSingleton&lt;IClock, Clock&gt;(),
/// });
/// </code>
/// </example>
public static class TrainerProgram
{
    /// <summary>Runs the command line.</summary>
    /// <param name="args">What was typed.</param>
    /// <param name="application">The application.</param>
    /// <param name="output">For what was asked for; the console's by default.</param>
    /// <param name="error">For what is wrong; likewise.</param>
    /// <param name="cancellationToken">Ends the step that is under way, as the first Ctrl-C does.</param>
    /// <returns>
    /// 0 if a better table was found and written, 1 if none was found, 2 for wrong input and for test clusters that
    /// failed, 130 if it was ended before there was an answer.
    /// </returns>
    public static Task<int> RunAsync(
        string[] args, TrainedApplication application, TextWriter? output = null, TextWriter? error = null,
        CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(args);
        ArgumentNullException.ThrowIfNull(application);
        var name = Assembly.GetEntryAssembly()?.GetName().Name ?? "trainer";
        var command = TrainCommand.CreateRoot(new TrainCommandSetup { Application = application });
        return ToolCommandLine.RunAsync(
            command, name, args, output ?? Console.Out, error ?? Console.Error, cancellationToken);
    }
}
