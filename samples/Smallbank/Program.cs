using Polyjuice.Lab.Clusters;
using Polyjuice.Lab.Reporting;
using Polyjuice.Lab.Running;
using Polyjuice.Lab.Training;
using Polyjuice.LiveView;
using Polyjuice.Policies;
using Polyjuice.Storage;
using Smallbank;

SampleOptions options;
LearningPlan? learning;
try
{
    options = SampleOptions.Parse(args);
    learning = options.Learning.IsAsked ? options.ToLearningPlan() : null;
}
catch (CommandInputException e)
{
    Console.Error.WriteLine(e.Message);
    Console.Error.WriteLine("Try --help.");
    return 2;
}

if (options.IsHelp)
{
    Console.WriteLine(SampleOptions.Help);
    return 0;
}

using var ending = new UserInterrupt();

if (learning is not null)
    return await LearningOptions.RunAsync(
        learning, PolyjuiceBenchmarkCluster.StartTraceableAsync, Console.Out, Console.Error, ending);

try
{
    await QuickStart.RunAsync(options.Data ?? QuickStart.DefaultData, Console.Out);
}
catch (Exception e) when (e is IOException or UnauthorizedAccessException or LogUnusableException)
{
    // The message says what to do: another run uses the folder, the disk is full, a log is damaged.
    Console.Error.WriteLine(e.Message);
    return 2;
}

var plan = options.ToPlan();
if (options.View is not { } port) return await MeasureAsync(plan);
try
{
    var policies = new PolicyStore(new SiteRegistry(), plan.Policies[0]);
    await using var view = await StandaloneLiveView.StartAsync(
        policies, port, "Smallbank under Polyjuice", ending.Token);
    Console.WriteLine($"The live view: {view.Address}");
    return await MeasureAsync(plan with { Shape = plan.Shape with { PolicyStore = policies } });
}
catch (IOException e)
{
    // The port is taken, or the disk is full: the message says what to do.
    Console.Error.WriteLine(e.Message);
    return 2;
}

async Task<int> MeasureAsync(BenchmarkPlan measured) =>
    (await BenchmarkDisplay.RunAsync(
        Console.Out, measured, PolyjuiceBenchmarkCluster.StartAsync, ending.Token)).InvariantHeld
        ? 0
        : 1;
