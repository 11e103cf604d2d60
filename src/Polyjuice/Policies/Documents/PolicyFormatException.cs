namespace Polyjuice.Policies;

/// <summary>One thing that is wrong with a policy file.</summary>
/// <param name="Line">From 1; 0 when the problem has no place.</param>
/// <param name="Column">From 1; 0 when the problem has no place.</param>
/// <param name="Field">The path of the field ("types[0].rows[3].waits.Payment"), or empty for the whole file.</param>
/// <param name="Message">What is wrong and what to do.</param>
internal sealed record PolicyProblem(int Line, int Column, string Field, string Message);

/// <summary>
/// A policy file that cannot be used. Nothing was changed because of it. The message has everything that is wrong with
/// it, a line each.
/// </summary>
public sealed class PolicyFormatException : FormatException
{
    /// <summary>Says what is wrong with a file.</summary>
    /// <param name="file">Its name.</param>
    /// <param name="problems">At least one.</param>
    internal PolicyFormatException(string file, IReadOnlyList<PolicyProblem> problems)
        : base(string.Join('\n', problems.Select(problem => Describe(file, problem))))
    {
        if (problems.Count == 0) throw new ArgumentException("At least one problem.", nameof(problems));
        File = file;
        Problems = problems;
    }

    /// <summary>Says one thing that is wrong with a file.</summary>
    internal PolicyFormatException(string file, int line, int column, string field, string message)
        : this(file, [new PolicyProblem(line, column, field, message)])
    {
    }

    /// <summary>The file's name, as it was given.</summary>
    public string File { get; }

    /// <summary>Everything that was found, in the file's order.</summary>
    internal IReadOnlyList<PolicyProblem> Problems { get; }

    /// <summary>Where the first problem is, from 1; 0 when it has no place.</summary>
    public int Line => Problems[0].Line;

    /// <summary>Where in its line the first problem is, from 1; 0 when it has no place.</summary>
    public int Column => Problems[0].Column;

    /// <summary>
    /// The path of the first problem's field ("types[0].rows[3].waits.Payment"); empty for the whole file.
    /// </summary>
    public string Field => Problems[0].Field;

    private static string Describe(string file, PolicyProblem problem)
    {
        var place = problem.Line > 0 ? $"{file}({problem.Line},{problem.Column})" : file;
        return problem.Field.Length > 0
            ? $"{place}: {problem.Field}: {problem.Message}"
            : $"{place}: {problem.Message}";
    }
}
