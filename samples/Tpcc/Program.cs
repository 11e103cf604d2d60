using Polyjuice.Benchmarking.Reporting;
using Polyjuice.Benchmarking.Running;
using Tpcc;

SampleOptions options;
try
{
    options = SampleOptions.Parse(args);
}
catch (BenchmarkInputException e)
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

var plan = options.ToPlan();
var console = BenchmarkDisplay.CreateConsole(Console.Out);
try
{
    var result = await BenchmarkDisplay.RunAsync(
        console, observer => new BenchmarkRunner(GrainHost.StartAsync, observer).RunAsync(plan, ending.Token));
    ResultTable.Write(console, result);
    return result.InvariantHeld ? 0 : 1;
}
catch (Exception e) when (e is IOException or UnauthorizedAccessException)
{
    // The message says what to do: the folder is in use, or the disk is full.
    Console.Error.WriteLine(e.Message);
    return 2;
}
