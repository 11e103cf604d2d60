using Polyjuice.Lab.Tests.Commands;
using Polyjuice.Lab.Tool.Processes;

namespace Polyjuice.Lab.Tests.Processes;

/// <summary>Silos as processes over Azurite. A night's run is the command's own: <c>polyjuice-lab kill</c>.</summary>
[RequiresAzurite]
public sealed class KillTests
{
    // Longer than it takes the others to declare a silo dead: it is deposed while it stands still.
    private const string Pause = "12";

    [ConditionalFact]
    public async Task Nothing_acknowledged_is_lost_and_nothing_is_half_done_when_silos_are_killed_and_stand_still()
    {
        using var lab = new LabTool();

        var answer = await lab.RunAsync(
            "kill", "--kills", "5", "--absence", "2", "--stops", "1", "--pause", Pause, "--skew", "400",
            "--commits-between", "10", "--evidence", lab.PathOf("evidence"));

        Assert.True(answer.ExitCode == 0, answer.Output + answer.Error);
        Assert.Contains("5 kills, 1 stops", answer.Output);
    }

    // It ends soon when it goes on, but not in no time.
    [ConditionalFact]
    public async Task A_silo_that_was_declared_dead_and_goes_on_is_a_complaint()
    {
        using var lab = new LabTool();
        await using var processes = await ProcessRun.CreateAsync(new()
        {
            Seed = 1, Silos = 2, Kills = 0, AbsenceMax = default, Stops = 1,
            Pause = TimeSpan.FromSeconds(30), EndMax = TimeSpan.Zero, Skew = default, KeepsFiles = false,
            HasTurns = false, Cells = 12, Theta = 0, Clients = 4, ResponseTimeout = TimeSpan.FromSeconds(5),
            CommitsBetween = 10, EvidenceFolder = lab.PathOf("evidence"),
        });

        var result = await processes.RunAsync(_ => { }, CancellationToken.None);

        Assert.Contains(
            result.Complaints,
            complaint => complaint.Contains("was declared dead while it stood still", StringComparison.Ordinal));
    }

    [ConditionalFact]
    public async Task A_silo_on_files_that_is_killed_finds_all_that_it_has_acknowledged()
    {
        using var lab = new LabTool();

        var answer = await lab.RunAsync(
            "kill", "--logs", "files", "--kills", "3", "--absence", "0", "--stops", "0", "--commits-between", "10",
            "--evidence", lab.PathOf("evidence"));

        Assert.True(answer.ExitCode == 0, answer.Output + answer.Error);
        Assert.Contains("3 kills, 0 stops", answer.Output);
    }
}
