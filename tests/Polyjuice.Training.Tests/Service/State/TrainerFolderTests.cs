using Polyjuice.Training.Service.State;

namespace Polyjuice.Training.Tests.Service.State;

public sealed class TrainerFolderTests
{
    [Fact]
    public void What_it_makes_is_its_owners_alone()
    {
        if (OperatingSystem.IsWindows()) return; // Permissions are the parent folder's.
        using var parent = new TestFolder();

        using var folder = new TrainerFolder(parent.File("state"));

        Assert.Equal(
            UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute,
            File.GetUnixFileMode(folder.Path));
    }
}
