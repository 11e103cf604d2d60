using Polyjuice.Lab.Tool;

return await LabCommandLine.RunAsync(args, Console.Out, Console.Error);
