using Polyjuice.Lab.Clusters;
using Polyjuice.Lab.Reporting;
using Polyjuice.Lab.Running;
using Polyjuice.Lab.Training;
using Tpcc;

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
    var result = await BenchmarkDisplay.RunAsync(
        Console.Out, options.ToPlan(), PolyjuiceBenchmarkCluster.StartAsync, ending.Token);
    return result.InvariantHeld ? 0 : 1;
}
catch (Exception e) when (e is IOException or UnauthorizedAccessException)
{
    // The message says what to do: the folder is in use, or the disk is full.
    Console.Error.WriteLine(e.Message);
    return 2;
}
